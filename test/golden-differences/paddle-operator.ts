import { ATTEMPTS } from './attempts.ts';
import type { Compatibility } from './difference.ts';
import { GANGS } from './gangs.ts';

export const PADDLE_OPERATOR_COMPATIBILITY: Compatibility = {
  apiVersion: 'batch.paddlepaddle.org/v1',
  kind: 'PaddleJob',
  original: 'paddle-operator v0.3.0',
  same: 'Pods, Services, the ConfigMap of global variables, names, labels, the annotation `paddle-resource`, phases, modes, and what each `cleanPodPolicy` removes.',
  family: [],
  differences: [
    {
      id: 'values-are-checked',
      area: 'manifest',
      original:
        'Takes any `cleanPodPolicy`, `intranet` and `withGloo`; one that it does not know keeps all pods, means PodIP, or switches gloo on. Negative replicas, and names that are too long, leave the job hanging.',
      signalbox: 'Refuses them at once and lists every fault by its path.',
      why: 'A slip of the pen is better told than run.',
    },
    {
      id: 'names-of-jobs',
      area: 'manifest',
      original: 'Names of jobs may have dots and begin with a digit, as long as no Service is made.',
      signalbox: 'They are DNS labels that begin with a letter, whatever `intranet` is.',
      why: 'The same manifest then runs with every `intranet`.',
    },
    {
      id: 'at-least-one-pod',
      area: 'manifest',
      original: 'A job without roles, or whose roles have no replicas, is Running for ever.',
      signalbox: 'Is refused.',
      why: 'There is nothing to run.',
    },
    {
      id: 'no-crash',
      area: 'manifest',
      original:
        'The operator crashes, and again after each start, on an elastic job without `worker`, a role without containers, and an `intranet: Host` job without annotations.',
      signalbox: 'Refuses the first two, and runs the third.',
      why: 'One manifest must not stop all other jobs.',
    },
    {
      id: 'role-names-in-any-case',
      area: 'manifest',
      original: 'Ignores `Worker`.',
      signalbox: 'Takes the names of roles in any case; a role that is given twice is a fault.',
      why: 'What it means is clear.',
    },
    {
      id: 'requests-and-limits',
      area: 'manifest',
      original: 'Never reads `requests` and `limits` of a role, and says nothing of it.',
      signalbox: 'Does not read them either, with a warning. So it is with `withGloo` where gloo stays off.',
      why: 'They look as if they set the bounds of an elastic job.',
    },
    {
      id: 'env-of-the-user-wins',
      area: 'objects',
      original: 'Appends its variables, so that they silently override those of the manifest.',
      signalbox: 'Keeps a variable that the manifest sets, with a warning.',
      why: 'What somebody writes is what they get.',
    },
    {
      id: 'all-pods-at-once',
      area: 'objects',
      original: 'Makes one object each time that it looks at a job, Services after the pods that need them.',
      signalbox: 'Makes Services and pods of all roles side by side.',
      why: 'A job of 100 pods starts as soon as one of three.',
    },
    {
      id: 'services-publish-not-ready',
      area: 'objects',
      original: 'Services answer for ready pods only.',
      signalbox: '`publishNotReadyAddresses: true`, as paddle-operator does from 0.3.4 on.',
      why: 'Peers must find each other before any of them is ready.',
      leavesOut: [{ kind: 'Service', path: ['spec', 'publishNotReadyAddresses'] }],
    },
    {
      id: 'labels-of-services',
      area: 'objects',
      original: 'Services have no labels.',
      signalbox: 'They have the label by which they select their pod.',
      why: 'They are found by it.',
      leavesOut: [{ kind: 'Service', path: ['metadata', 'labels'] }],
    },
    {
      id: 'equal-ports',
      area: 'objects',
      original: 'Adds port 2379 to a container that has it already.',
      signalbox: 'Adds it only where it is missing.',
      why: 'Twice the same port says nothing more.',
    },
    {
      id: 'owner',
      area: 'objects',
      original:
        'Objects are owned by the PaddleJob, which a finalizer keeps until the operator has let it go.',
      signalbox: 'By the job’s anchor, a ConfigMap named `<job>.signalbox`; there is no finalizer.',
      why: 'A job here is a workflow; the anchor ties it to the cluster.',
      leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
    },
    {
      id: 'variables-known-early',
      area: 'objects',
      original:
        'Makes the ConfigMap of global variables when every pod has an IPv4 address; until then containers are in CreateContainerConfigError.',
      signalbox:
        'With `intranet: Service` it is made before the pods, as names are known. With PodIP and Host it waits for addresses as well, of IPv6 too.',
      why: 'Pods start without an error that looks like a failure.',
    },
    {
      id: 'variables-are-renewed',
      area: 'objects',
      original: 'Never changes the ConfigMap, also when a pod was made again and has another address.',
      signalbox:
        'Renews it, for containers that start from then on. Those that run keep what they have read: where nodes come and go, `intranet: Service` is the choice.',
      why: 'An address that nobody has helps nobody.',
    },
    {
      id: 'host-port',
      area: 'objects',
      original:
        'With `intranet: Host` hands out ranges of 20 ports from 35020 on, remembers them in memory, and writes the first to the annotation `host-port`; when they run out every job gets 40000.',
      signalbox:
        'The first port follows from namespace and name, in steps of 20 from 35000 to 64980; the annotation `host-port` in the manifest sets another. PADDLE_PORT tells it.',
      why: 'Nothing has to be remembered, and a job run again has the same ports. Where two jobs meet on one node, the annotation parts them.',
    },
    {
      id: 'host-endpoints',
      area: 'objects',
      original:
        'With `intranet: Host` PADDLE_PORT is the job’s host port, but all lists of endpoints, and gloo’s, are based on 2379.',
      signalbox: 'They are based on the host port.',
      why: 'A server that listens on PADDLE_PORT did not find itself in its own list, and no peer found it.',
    },
    ...ATTEMPTS,
    ...GANGS,
    {
      id: 'min-resources-of-the-gang',
      area: 'objects',
      original:
        '`minResources` is of all pods, also where `minAvailable` is fewer; the job’s annotations are not on its group.',
      signalbox: 'Of `minAvailable` pods; with the annotations, as with training-operator.',
      why: 'More than the gang needs could keep it out for ever.',
    },
    {
      id: 'back-off-between-replacements',
      area: 'running',
      original: 'Makes a pod that was deleted again as fast as it goes.',
      signalbox:
        'Waits before the second replacement in a row: 10 s, doubled up to 5 min, afresh after 10 min.',
      why: 'A pod that goes at once would keep scheduler and image registry busy for nothing.',
    },
    {
      id: 'scaling',
      area: 'running',
      original:
        'Changes the number of any role’s pods while the others run on. Those, and the ConfigMap of global variables, keep telling the old number; Services of pods that went stay.',
      signalbox:
        'Workers of an elastic job come and go while the others run on. Of other jobs all pods start again, with the new number in every variable, where the policy has `scaleByRestart`; without it they refuse. Services go with their pods.',
      why: 'Pods that were told another number than there is wait for each other for ever, or leave a part of the data out.',
    },
    {
      id: 'successes-are-remembered',
      area: 'running',
      original:
        'Runs a replica again whose pod is deleted after it succeeded, even when the job is Completed.',
      signalbox: 'Remembers which replicas have succeeded; what has ended stays ended.',
      why: 'Nodes are removed, and finished pods tidied up; the work is done.',
    },
    {
      id: 'gang-does-not-stop-clean-up',
      area: 'ending',
      original: 'With Volcano, a failed pod can close the gate behind which pods are cleaned up; they stay.',
      signalbox: 'Clean-up does not ask the gang scheduler.',
      why: 'The job has ended.',
    },
    {
      id: 'phase-is-current',
      area: 'status',
      original:
        'The phase is made from the counts before the last ones, start and end times from the phase before; a job of which some pods run and others have succeeded may be Pending.',
      signalbox: 'Phase, counts and times are of one moment; that job is Running.',
      why: 'Scripts that wait for a phase must be able to rely on it.',
    },
    {
      id: 'counts-stay',
      area: 'status',
      original:
        'Counts what is there, so that a job that was cleaned up has no counts; lists the names of pods in `refs`.',
      signalbox:
        '`replicaStatuses` keeps how many had succeeded and failed; names of pods follow from role and number.',
      why: 'That is what one wants to know afterwards.',
    },
    {
      id: 'more-phases',
      area: 'status',
      original: 'Phases Pending, Starting, Running, Completed and Failed.',
      signalbox:
        'Also Restarting, while pods are made again, and Stopped; and Kubeflow’s conditions, with a reason for every end.',
      why: 'They say what is going on.',
    },
    {
      id: 'events',
      area: 'status',
      original: 'Writes a Kubernetes event for each object that it makes or deletes.',
      signalbox: 'Writes none; the timeline of the job and its workflow’s history tell.',
      why: 'Events are gone after an hour.',
    },
  ],
};
