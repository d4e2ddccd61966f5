import { ATTEMPTS } from './attempts.ts';
import type { Compatibility } from './difference.ts';
import { SIDECARS } from './sidecars.ts';

const waitsForTasks = ({ roles }: { readonly roles: readonly { readonly options?: object }[] }) =>
  roles.some(({ options }) => options && 'dependsOn' in options && options.dependsOn !== undefined);

export const VOLCANO_JOB_COMPATIBILITY: Compatibility = {
  apiVersion: 'batch.volcano.sh/v1alpha1',
  kind: 'Job',
  original: 'Volcano v1.15',
  family: [],
  differences: [
    {
      id: 'what-is-not-supported',
      area: 'manifest',
      original:
        'Has `topologyPolicy`, `networkTopology` of partitions, `timeout` of policies, the events PodPending and Unknown, and the action ResumeJob.',
      signalbox: 'Rejects them, and says what to use instead.',
      why: 'A field that does nothing should not be accepted.',
    },
    {
      id: 'claims',
      area: 'objects',
      original:
        'The name of a claim that `volumeClaim` makes ends in a random text; the name is written into the manifest.',
      signalbox: 'It is `<job>-pvc-<index>`, by the number of the volume; the claim goes with the job.',
      why: 'A repeated creation must not make a second one.',
    },
    {
      id: 'network-topology',
      area: 'objects',
      original: '`networkTopology` needs Volcano.',
      signalbox: 'Volcano’s group has it; under another gang scheduler a warning says that nothing reads it.',
      why: 'Only Volcano knows tiers.',
    },
    {
      id: 'keys-in-a-manifest',
      area: 'manifest',
      original: 'Plugin `ssh` takes a key as an argument.',
      signalbox: 'Rejects it, and makes a key for each job.',
      why: 'The record of a job keeps its manifest.',
    },
    {
      id: 'restart-after-completion',
      area: 'manifest',
      original: 'Accepts a restart as the action for TaskCompleted, and runs the task again for ever.',
      signalbox: 'Rejects it; `*` with a restart does not mean TaskCompleted.',
      why: 'Such a job never ends.',
    },
    {
      id: 'queues',
      area: 'manifest',
      original: 'Rejects a job whose queue does not exist or is closed.',
      signalbox:
        'Accepts it; under Volcano it waits and says that the queue is missing, elsewhere a warning says that the gang scheduler has no queues.',
      why: 'The queue may come later, and the job may run where there is no Volcano.',
    },
    {
      id: 'any-gang-scheduler',
      area: 'objects',
      original: 'Needs Volcano.',
      signalbox:
        'Uses Volcano where the cluster has it, also with `schedulerName: volcano`, and else what other kinds use; an annotation chooses.',
      why: 'A manifest should run on every cluster.',
    },
    {
      id: 'owner',
      area: 'objects',
      original: 'The Job owns its objects.',
      signalbox: 'The anchor of the job owns them, beside the Job if there is one.',
      why: 'A submitted job has no resource.',
      leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
    },
    {
      id: 'group',
      area: 'objects',
      original:
        'The PodGroup is `<job>-<uid>` and has the labels of the job; `minResources` also counts pods, and leaves out GPUs that are only limits.',
      signalbox:
        'The PodGroup is named after the job and its attempt, without those labels; `minResources` is what Kubernetes itself computes.',
      why: 'An admitted gang must also fit.',
      leavesOut: [
        { kind: 'PodGroup', path: ['metadata', 'labels'] },
        { kind: 'PodGroup', path: ['spec', 'minResources'] },
      ],
    },
    {
      id: 'tasks-that-wait',
      area: 'objects',
      original: 'The group counts pods that `dependsOn` holds back, and waits for them.',
      signalbox: 'The group has the pods that are created at first.',
      why: 'Pods and group would wait for each other.',
      when: waitsForTasks,
      leavesOut: [{ kind: 'PodGroup', path: ['spec', 'minTaskMember'] }],
    },
    {
      id: 'variables-of-the-user-win',
      area: 'objects',
      original: 'Variables of plugins replace those of the template.',
      signalbox: 'A variable of the template keeps its value, with a warning.',
      why: 'As with every other kind.',
    },
    {
      id: 'ranks-of-masters',
      area: 'objects',
      original: 'Every pod of the master task has RANK 0.',
      signalbox: 'Masters are numbered from 0, and workers after them.',
      why: 'Two processes of one rank never meet.',
    },
    {
      id: 'restarts-keep-objects',
      area: 'running',
      original:
        'Deletes Service, NetworkPolicy, Secret and PodGroup at every restart, also of one pod; running pods have no names meanwhile.',
      signalbox: 'They stay.',
      why: 'Pods that run on need them.',
    },
    {
      id: 'pods-that-a-node-ends',
      area: 'running',
      original: 'Without a policy, a pod that its node has evicted stays Failed.',
      signalbox: 'It is made again, as after a deletion.',
      why: 'Its program did not fail.',
    },
    {
      id: 'ready-tasks',
      area: 'running',
      original: 'A job is Running when `minAvailable` pods run, whatever their tasks.',
      signalbox: 'It is Running when each task has its `minAvailable`.',
      why: 'A job without its master does not run.',
    },
    {
      id: 'abort-and-resume',
      area: 'running',
      original:
        'AbortJob keeps finished pods; a resume costs a retry, and does not replace a failed pod at the last one.',
      signalbox:
        'AbortJob suspends the job: all pods go, after their evidence is saved. A resume costs nothing and begins a new attempt.',
      why: 'A pause is no failure, and a job with a dead rank does not run.',
    },
    {
      id: 'limit-of-restarts',
      area: 'running',
      original:
        'Counts in `maxRetry` what `RestartJob`, `RestartTask`, `RestartPartition` and `RestartPod` restart.',
      signalbox:
        'The same, in the annotation of the policy with its classes and ladder; the kubelet’s restarts do not count.',
      why: 'The policy gives what policies of Volcano cannot say.',
    },
    {
      id: 'terminated',
      area: 'ending',
      original: 'TerminateJob keeps finished pods.',
      signalbox: 'The job is Stopped, and all pods go after their evidence is saved.',
      why: 'A stopped job holds nothing.',
    },
    {
      id: 'objects-at-the-end',
      area: 'ending',
      original: 'Deletes Service, ConfigMap, Secret and PodGroup of an ended job; the ConfigMap comes back.',
      signalbox: 'Running pods and the group go at once, all else with the job’s anchor.',
      why: 'Who looks at a kept pod can still see what it had.',
    },
    {
      id: 'counts-at-the-end',
      area: 'status',
      original: 'An ended job counts no pods, and `state` has neither reason nor message.',
      signalbox: 'The counts stay, and `state` says why the job is in its phase.',
      why: 'Who looks later sees what became of the pods.',
    },
    {
      id: 'counts-of-pods',
      area: 'status',
      original: 'Counts running pods, ready or not, and those that terminate.',
      signalbox: 'A pod that is not ready counts as pending; `terminating` and `unknown` are not shown.',
      why: 'A job runs once its programs are ready.',
    },
    {
      id: 'phases-on-the-way',
      area: 'status',
      original: 'Completing and Terminating are phases of their own while pods are deleted.',
      signalbox:
        'They are among the conditions of an ended job; until Temporal knows the end, the job is Running.',
      why: 'Nothing else than Temporal ends a resource.',
    },
    {
      id: 'commands',
      area: 'running',
      original: 'A Command may have every action.',
      signalbox: 'AbortJob, ResumeJob and TerminateJob; others are an event `CommandNotTaken`.',
      why: 'These are what `vcctl` writes; a restart has rules of its own.',
    },
    ...ATTEMPTS,
    ...SIDECARS,
  ],
};
