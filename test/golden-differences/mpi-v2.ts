import { ATTEMPTS } from './attempts.ts';
import type { Compatibility, Difference } from './difference.ts';
import { GANGS } from './gangs.ts';
import { SIDECARS } from './sidecars.ts';
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
      'Reports an invalid manifest in one event and sets no status; accepts any `launcherCreationPolicy`.',
    signalbox: 'Rejects it at once and lists every error by its path.',
    why: 'Users do not look for events of a job that does nothing.',
  },
  {
    id: 'role-names-in-any-case',
    area: 'manifest',
    original: 'Ignores roles that are not spelled `Launcher` or `Worker`.',
    signalbox: 'Accepts these names in any case; an unknown or duplicate role is an error.',
    why: 'An ignored worker is noticed too late.',
  },
];

const OBJECTS: readonly Difference[] = [
  {
    id: 'launcher-pod',
    area: 'objects',
    original: 'The launcher is a batch Job, `<job>-launcher`, whose pods have random name suffixes.',
    signalbox: 'A pod, `<job>-launcher`, with the labels, variables and volumes that the Job’s template has.',
    why: 'signalbox recreates pods itself and needs no second controller for one of them.',
  },
  {
    id: 'owner',
    area: 'objects',
    original: 'The MPIJob owns all objects.',
    signalbox: 'The job’s anchor owns them: a ConfigMap named `<job>.signalbox`.',
    why: 'A job is a workflow; its anchor represents it in the cluster.',
    leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
  },
  {
    id: 'more-labels',
    area: 'objects',
    original: 'Sets four labels of training.kubeflow.org, and `app`.',
    signalbox: 'Sets the same, and some of signalbox.dev.',
    why: 'They identify a job’s objects and distinguish its attempts.',
  },
  {
    id: 'domain-of-the-cluster',
    area: 'objects',
    original:
      'The DNS search domain of workers is `<job>.<namespace>.svc.cluster.local`, whatever the cluster’s domain is.',
    signalbox: 'It uses the configured domain, `cluster.local` by default.',
    why: 'Some clusters have another domain.',
  },
  {
    id: 'no-schedule-timeout',
    area: 'objects',
    original: 'Sets 0 seconds for a gang of scheduler-plugins without `scheduleTimeoutSeconds`.',
    signalbox: 'Sets none, so that the scheduler’s own setting applies.',
    why: 'Members must wait a little for those that come later.',
  },
  {
    id: 'scheduler-of-the-user',
    area: 'objects',
    original: 'Replaces the `schedulerName` of a pod template by the gang scheduler’s name.',
    signalbox: 'Keeps it.',
    why: 'The manifest takes precedence.',
  },
];

const RUNNING: readonly Difference[] = [
  {
    id: 'hosts-that-are-ready',
    area: 'running',
    original:
      '`discover_hosts.sh` lists the workers whose containers have started, by name: `worker-10` before `worker-2`.',
    signalbox: 'Lists those that are ready, by index.',
    why: 'Ranks should not depend on the number of workers.',
  },
  ...ATTEMPTS,
  ...SIDECARS,
  ...GANGS,
  {
    id: 'gang-of-mpi',
    area: 'objects',
    original:
      'Overwrites the `schedulerName` of a template; sets `scheduleTimeoutSeconds` to 0 if it is absent, so that members do not wait for each other; does not copy the job’s annotations to its group.',
    signalbox:
      'Keeps the name, with a warning; leaves the timeout to the scheduler; copies the annotations, as training-operator does.',
    why: 'What somebody writes is what they get, and a gang needs time to gather.',
  },
  {
    id: 'gang-of-workers',
    area: 'running',
    original:
      'With `WaitForWorkersReady` and a gang scheduler, workers and launcher wait for each other forever; without workers the operator crashes.',
    signalbox:
      'The gang consists of the workers; the launcher is placed after them. Without workers, the launcher is the gang.',
    why: 'The job could never start.',
  },
  {
    id: 'backoff-limit',
    area: 'running',
    original: '`backoffLimit`, 6 by default, counts failures of the launcher.',
    signalbox: 'The default is the same, but recreated workers count as well.',
    why: 'One limit covers all restarts.',
  },
];

const END: readonly Difference[] = [
  {
    id: 'time-to-live',
    area: 'ending',
    original: '`ttlSecondsAfterFinished` deletes the launcher; the MPIJob and its workers stay.',
    signalbox: 'Deletes everything that remains in the cluster; the record stays in Temporal.',
    why: 'Objects of an expired job are clutter.',
  },
  {
    id: 'clean-all',
    area: 'ending',
    original: '`cleanPodPolicy: All` removes all workers, but never a finished launcher.',
    signalbox: 'It works like `Running`: finished workers stay as well.',
    why: 'Finished pods use no resources, and their logs remain readable.',
  },
  {
    id: 'eviction-is-final',
    area: 'ending',
    original:
      'An evicted worker makes the job Failed without a completion time; it runs on and may succeed later.',
    signalbox: 'It fails the job for good; pods that still run are removed according to `cleanPodPolicy`.',
    why: 'A job has one outcome.',
  },
  {
    id: 'reason-of-failure',
    area: 'status',
    original: 'Reports a failed launcher as `BackoffLimitExceeded/`, with a message that ends in a colon.',
    signalbox:
      'Reports `BackoffLimitExceeded`, with a complete message. The cause names the pod and its exit code.',
    why: 'Usually nothing follows the colon.',
  },
  {
    id: 'restarting-is-told',
    area: 'status',
    original: 'Running stays True while a failed launcher is recreated.',
    signalbox: 'The job is Restarting until the launcher is ready again.',
    why: 'A job whose launcher waits to be recreated does not train.',
  },
  {
    id: 'failures-of-the-launcher',
    area: 'status',
    original: '`replicaStatuses.Launcher.failed` counts all launchers that have failed.',
    signalbox: 'It counts those that exist; `restarts` counts the others.',
    why: 'All roles are counted in the same way.',
  },
  {
    id: 'roles-of-the-manifest',
    area: 'status',
    original:
      '`replicaStatuses` has an empty Worker if the job has none, and no Launcher before it is created.',
    signalbox: 'It has exactly the roles of the manifest.',
    why: 'It shows which roles exist.',
  },
  {
    id: 'running-means-ready',
    area: 'status',
    original: 'Running is True when the containers of the launcher and of every worker have started.',
    signalbox: 'Running is True when all of them are ready.',
    why: 'A worker is reachable only once its sshd answers.',
  },
];

export const MPI_V2_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v2beta1',
  kind: 'MPIJob',
  original: 'mpi-operator v0.6.0',
  family: [],
  differences: [
    ...MANIFEST,
    ...TRAINING_OPERATOR.filter(({ id }) => AS_TRAINING_OPERATOR.has(id)),
    ...OBJECTS,
    ...RUNNING,
    ...END,
  ],
};
