import { ATTEMPTS } from './attempts.ts';
import type { Compatibility } from './difference.ts';
import { GANGS } from './gangs.ts';
import { SIDECARS } from './sidecars.ts';

export const PADDLE_OPERATOR_COMPATIBILITY: Compatibility = {
  apiVersion: 'batch.paddlepaddle.org/v1',
  kind: 'PaddleJob',
  original: 'paddle-operator v0.3.0',
  family: [],
  differences: [
    {
      id: 'values-are-checked',
      area: 'manifest',
      original:
        'Accepts any `cleanPodPolicy`, `intranet` and `withGloo`, negative replicas and names that are too long.',
      signalbox: 'Rejects them at once and lists every error by its path.',
      why: 'Typos should be reported.',
    },
    {
      id: 'names-of-jobs',
      area: 'manifest',
      original: 'Job names may contain dots and begin with a digit, as long as no Service is created.',
      signalbox: 'Job names are DNS labels that begin with a letter, whatever `intranet` is.',
      why: 'The same manifest then runs with every `intranet`.',
    },
    {
      id: 'at-least-one-pod',
      area: 'manifest',
      original: 'A job without roles, or without replicas in its roles, is Running forever.',
      signalbox: 'Rejects it.',
      why: 'There is nothing to run.',
    },
    {
      id: 'no-crash',
      area: 'manifest',
      original:
        'Crashes on an elastic job without `worker`, a role without containers, and an `intranet: Host` job without annotations.',
      signalbox: 'Rejects the first two and runs the third.',
      why: 'One manifest must not stop all other jobs.',
    },
    {
      id: 'role-names-in-any-case',
      area: 'manifest',
      original: 'Ignores `Worker`.',
      signalbox: 'Accepts role names in any case; a duplicate role is an error.',
      why: 'The meaning is clear.',
    },
    {
      id: 'requests-and-limits',
      area: 'manifest',
      original: 'Silently ignores `requests` and `limits` of a role.',
      signalbox: 'Ignores them too, with a warning; the same applies to `withGloo` if gloo stays off.',
      why: 'They look like the bounds of an elastic job.',
    },
    {
      id: 'env-of-the-user-wins',
      area: 'objects',
      original: 'Appends its variables, which silently override those of the manifest.',
      signalbox: 'Keeps a variable that the manifest sets, with a warning.',
      why: 'The manifest takes precedence.',
    },
    {
      id: 'all-pods-at-once',
      area: 'objects',
      original: 'Creates one object per reconciliation, Services after the pods that need them.',
      signalbox: 'Creates Services and pods of all roles in parallel.',
      why: 'A job of 100 pods starts as fast as one of three.',
    },
    {
      id: 'services-publish-not-ready',
      area: 'objects',
      original: 'Services resolve only ready pods.',
      signalbox: 'Sets `publishNotReadyAddresses: true`, as paddle-operator does from 0.3.4 on.',
      why: 'Peers must find each other before any of them is ready.',
      leavesOut: [{ kind: 'Service', path: ['spec', 'publishNotReadyAddresses'] }],
    },
    {
      id: 'labels-of-services',
      area: 'objects',
      original: 'Services have no labels.',
      signalbox: 'Services have the label by which they select their pod.',
      why: 'It makes them easy to find.',
      leavesOut: [{ kind: 'Service', path: ['metadata', 'labels'] }],
    },
    {
      id: 'equal-ports',
      area: 'objects',
      original: 'Adds port 2379 to a container that already has it.',
      signalbox: 'Adds it only if it is missing.',
      why: 'A duplicate port has no effect.',
    },
    {
      id: 'owner',
      area: 'objects',
      original: 'The PaddleJob owns all objects; a finalizer keeps it until the operator releases it.',
      signalbox: 'The job’s anchor owns them: a ConfigMap named `<job>.signalbox`. There is no finalizer.',
      why: 'A job is a workflow; its anchor represents it in the cluster.',
      leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
    },
    {
      id: 'variables-known-early',
      area: 'objects',
      original:
        'Creates the ConfigMap of global variables when every pod has an IPv4 address; until then containers are in CreateContainerConfigError.',
      signalbox:
        'With `intranet: Service`, creates it before the pods. With PodIP and Host it waits for addresses, IPv4 or IPv6.',
      why: 'Pods start without an apparent error.',
    },
    {
      id: 'variables-are-renewed',
      area: 'objects',
      original: 'Never updates the ConfigMap, even if a pod was recreated with another address.',
      signalbox:
        'Updates it for containers that start later. Use `intranet: Service` where nodes come and go.',
      why: 'A stale address is useless.',
    },
    {
      id: 'host-port',
      area: 'objects',
      original:
        'With `intranet: Host`, allocates ranges of 20 ports from 35020 on; when they run out, every job gets 40000.',
      signalbox:
        'Derives the first port from namespace and name, from 35000 to 64980; the annotation `host-port` in the manifest sets another.',
      why: 'No state is needed, and a resubmitted job has the same ports. If two jobs collide on a node, the annotation resolves that.',
    },
    {
      id: 'host-endpoints',
      area: 'objects',
      original:
        'With `intranet: Host`, PADDLE_PORT is the job’s host port, but all endpoint lists, and gloo’s, are based on 2379.',
      signalbox: 'All of them are based on the host port.',
      why: 'A server that listens on PADDLE_PORT must find itself in the list, and its peers must find it.',
    },
    ...ATTEMPTS,
    ...SIDECARS,
    ...GANGS,
    {
      id: 'min-resources-of-the-gang',
      area: 'objects',
      original:
        '`minResources` covers all pods, even if `minAvailable` is lower; the job’s annotations are not copied to its group.',
      signalbox:
        '`minResources` covers `minAvailable` pods; the annotations are copied, as with training-operator.',
      why: 'A larger request could block the gang forever.',
    },
    {
      id: 'back-off-between-replacements',
      area: 'running',
      original: 'Recreates a deleted pod without delay.',
      signalbox:
        'Waits before the second replacement in a row: 10 s, doubled each time up to 5 min, reset after 10 min.',
      why: 'A pod that disappears immediately would load scheduler and image registry for nothing.',
    },
    {
      id: 'scaling',
      area: 'running',
      original:
        'Changes the number of any role’s pods while the others keep running with the old number; Services of removed pods stay.',
      signalbox:
        'Workers of an elastic job come and go while the others keep running. Other jobs restart all pods if the policy has `scaleByRestart`, and refuse otherwise.',
      why: 'Pods with a wrong number wait for each other forever, or skip part of the data.',
    },
    {
      id: 'successes-are-remembered',
      area: 'running',
      original: 'Restarts a replica whose pod is deleted after it succeeded, even when the job is Completed.',
      signalbox: 'Remembers which replicas have succeeded; an ended job stays ended.',
      why: 'Nodes are removed and finished pods are deleted, but the work is done.',
    },
    {
      id: 'gang-does-not-stop-clean-up',
      area: 'ending',
      original: 'With Volcano, a failed pod can prevent the clean-up of pods.',
      signalbox: 'Clean-up does not depend on the gang scheduler.',
      why: 'The job has ended.',
    },
    {
      id: 'phase-is-current',
      area: 'status',
      original:
        'Phase and times follow from the previous counts; a job with running and succeeded pods can be Pending.',
      signalbox: 'Phase, counts and times are of the same moment; such a job is Running.',
      why: 'Scripts that wait for a phase must be able to rely on it.',
    },
    {
      id: 'counts-stay',
      area: 'status',
      original: 'Counts existing pods, so that a cleaned-up job has no counts; lists pod names in `refs`.',
      signalbox:
        '`replicaStatuses` keeps the numbers of succeeded and failed pods; pod names follow from role and index.',
      why: 'Users need these numbers afterwards.',
    },
    {
      id: 'more-phases',
      area: 'status',
      original: 'Has the phases Pending, Starting, Running, Completed and Failed.',
      signalbox:
        'Also has Restarting, while pods are recreated, and Stopped; and Kubeflow’s conditions, with a reason for every end.',
      why: 'They show what is going on.',
    },
    {
      id: 'events',
      area: 'status',
      original: 'Writes a Kubernetes event for each object that it creates or deletes.',
      signalbox: 'Writes none; the job’s timeline and its workflow’s history record this.',
      why: 'Events expire after an hour.',
    },
  ],
};
