import { ATTEMPTS } from './attempts.ts';
import type { Compatibility, Difference } from './difference.ts';
import { GANGS } from './gangs.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

/** Where mpi-operator does what training-operator does. */
const AS_TRAINING_OPERATOR: ReadonlySet<string> = new Set([
  'managed-by',
  'env-of-the-user-wins',
  'services-publish-not-ready',
  'suspend',
  'stopped',
  'changes-of-a-live-job',
  'active-means-placed',
]);

const MANIFEST: readonly Difference[] = [
  {
    id: 'values-are-checked',
    area: 'manifest',
    original:
      'Tells what is wrong with a manifest in one event, and gives the job no status; takes any `launcherCreationPolicy`.',
    signalbox: 'Refuses it at once and lists every fault by its path.',
    why: 'Nobody looks for an event of a job that does nothing.',
  },
  {
    id: 'role-names-in-any-case',
    area: 'manifest',
    original: 'Ignores roles that are not spelled `Launcher` and `Worker`.',
    signalbox: 'Takes their names in any case; another role, or one that is given twice, is a fault.',
    why: 'A worker that is ignored is missed too late.',
  },
];

const OBJECTS: readonly Difference[] = [
  {
    id: 'launcher-pod',
    area: 'objects',
    original: 'The launcher is a batch Job, `<job>-launcher`, whose pods have names with a random end.',
    signalbox: 'A pod, `<job>-launcher`, with the labels, variables and volumes that the Job’s template has.',
    why: 'signalbox makes pods again itself; it needs no second controller for one of them.',
  },
  {
    id: 'owner',
    area: 'objects',
    original: 'Objects are owned by the MPIJob.',
    signalbox: 'By the job’s anchor, a ConfigMap named `<job>.signalbox`.',
    why: 'A job here is a workflow; the anchor ties it to the cluster.',
    leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
  },
  {
    id: 'more-labels',
    area: 'objects',
    original: 'Four labels of training.kubeflow.org, and `app`.',
    signalbox: 'The same, and some of signalbox.dev.',
    why: 'By them everything of a job is found, and an attempt told from the next.',
  },
  {
    id: 'domain-of-the-cluster',
    area: 'objects',
    original:
      'Workers search for names in `<job>.<namespace>.svc.cluster.local`, whatever the cluster’s domain is.',
    signalbox: 'In the domain that is configured; `cluster.local` if none is.',
    why: 'Some clusters have another one.',
  },
  {
    id: 'no-schedule-timeout',
    area: 'objects',
    original: 'A gang of scheduler-plugins without `scheduleTimeoutSeconds` is given 0 seconds.',
    signalbox: 'None, so that what the scheduler is configured with counts.',
    why: 'Members that are there must wait a little for those that come.',
  },
  {
    id: 'scheduler-of-the-user',
    area: 'objects',
    original: 'A gang scheduler’s name replaces the `schedulerName` of a pod template.',
    signalbox: 'It stays.',
    why: 'What somebody writes is what they get.',
  },
];

const RUNNING: readonly Difference[] = [
  {
    id: 'hosts-that-are-ready',
    area: 'running',
    original:
      '`discover_hosts.sh` lists the workers whose containers have started, by name: `worker-10` before `worker-2`.',
    signalbox: 'Those that are ready, by index.',
    why: 'Ranks should not depend on how many workers there are.',
  },
  ...ATTEMPTS,
  ...GANGS,
  {
    id: 'gang-of-mpi',
    area: 'objects',
    original:
      'Overwrites the `schedulerName` of a template; writes a `scheduleTimeoutSeconds` of 0 where none is given, with which members do not wait for each other; the job’s annotations are not on its group.',
    signalbox:
      'Keeps the name, with a warning; leaves the time-out to the scheduler; copies the annotations, as training-operator does.',
    why: 'What somebody writes is what they get, and a gang needs time to gather.',
  },
  {
    id: 'gang-of-workers',
    area: 'running',
    original:
      'With `WaitForWorkersReady` and a gang scheduler the workers wait for a launcher that waits for them, for ever; without workers the operator crashes.',
    signalbox:
      'The gang is the workers; the launcher is placed after them. Without workers it is the launcher.',
    why: 'The job could never start.',
  },
  {
    id: 'backoff-limit',
    area: 'running',
    original: '`backoffLimit`, 6 unless it is given, counts the failures of the launcher.',
    signalbox: 'It is as many, and counts workers that are made again as well.',
    why: 'One limit for everything that is started again.',
  },
];

const END: readonly Difference[] = [
  {
    id: 'time-to-live',
    area: 'ending',
    original: '`ttlSecondsAfterFinished` deletes the launcher; the MPIJob and its workers stay.',
    signalbox: 'All that is left in the cluster goes; the record stays in Temporal.',
    why: 'What is still there of a job that has had its time is forgotten, and in the way.',
  },
  {
    id: 'clean-all',
    area: 'ending',
    original: '`cleanPodPolicy: All` removes all workers, and never a launcher that has finished.',
    signalbox: 'It is the same as `Running`: workers that have finished stay as well.',
    why: 'Finished pods hold nothing but their logs.',
  },
  {
    id: 'eviction-is-final',
    area: 'ending',
    original:
      'An evicted worker makes the job Failed without a completion time; it runs on and may succeed later.',
    signalbox: 'It fails the job, once, and what still runs is removed as `cleanPodPolicy` says.',
    why: 'A job ends once.',
  },
  {
    id: 'reason-of-failure',
    area: 'status',
    original:
      'A failed launcher is told as `BackoffLimitExceeded/`, with a message that ends in a colon; what the pod said may follow.',
    signalbox:
      '`BackoffLimitExceeded`, and a message that ends with its last word. The cause names the pod and its exit code.',
    why: 'Nothing followed most of the time.',
  },
  {
    id: 'restarting-is-told',
    area: 'status',
    original: 'Running stays True while a failed launcher is made again.',
    signalbox: 'The job is Restarting until the launcher is ready again.',
    why: 'A job whose launcher waits for its next try does not train.',
  },
  {
    id: 'failures-of-the-launcher',
    area: 'status',
    original: '`replicaStatuses.Launcher.failed` counts all launchers that have failed.',
    signalbox: 'Those that are there; `restarts` counts the others.',
    why: 'All roles are counted alike.',
  },
  {
    id: 'roles-of-the-manifest',
    area: 'status',
    original:
      '`replicaStatuses` has a Worker that is empty where the job has none, and no Launcher before it is made.',
    signalbox: 'It has the roles of the manifest.',
    why: 'What there is can be read from it.',
  },
  {
    id: 'running-means-ready',
    area: 'status',
    original: 'Running is True when the containers of the launcher and of every worker have started.',
    signalbox: 'When all of them are ready.',
    why: 'A worker is reached when its sshd answers.',
  },
];

export const MPI_V2_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v2beta1',
  kind: 'MPIJob',
  original: 'mpi-operator v0.6.0',
  same: 'Pods, names of hosts, labels, variables for Open MPI, Intel MPI and MPICH, volumes, `launcherCreationPolicy`; the Service, the Secret with its keys, the ConfigMap with `hostfile` and `discover_hosts.sh`; conditions, reasons and messages.',
  family: [],
  differences: [
    ...MANIFEST,
    ...TRAINING_OPERATOR.filter(({ id }) => AS_TRAINING_OPERATOR.has(id)),
    ...OBJECTS,
    ...RUNNING,
    ...END,
  ],
};
