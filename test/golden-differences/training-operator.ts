import { ATTEMPTS } from './attempts.ts';
import type { Difference } from './difference.ts';
import { GANGS } from './gangs.ts';

/** What training-operator v1.9 does with all of its kinds. */
export const TRAINING_OPERATOR: readonly Difference[] = [
  {
    id: 'role-names-in-any-case',
    area: 'manifest',
    original: 'Refuses `worker`, though it would rename it to `Worker` later; a TFJob may have it.',
    signalbox: 'Takes the names of roles in any case; a role that is given twice is a fault.',
    why: 'What it means is clear.',
  },
  {
    id: 'first-container-trains',
    area: 'manifest',
    original: 'Refuses a pod without a container that has the name of its kind, e.g. `pytorch`.',
    signalbox: 'Takes the first container for it, with a warning.',
    why: 'With one container there is nothing to choose.',
  },
  {
    id: 'values-are-checked',
    area: 'manifest',
    original:
      'Accepts any `restartPolicy` and `cleanPodPolicy`, negative limits, `minAvailable`, `minReplicas` and ports of 0, and names that are too long for a Service; the job then hangs, or loses what it should keep.',
    signalbox: 'Refuses them at once and lists every fault by its path.',
    why: 'A job that cannot run is better refused than left waiting.',
  },
  {
    id: 'no-replicas',
    area: 'manifest',
    original:
      'Makes and deletes the first pod of a role with `replicas: 0` again and again, where the kind accepts it.',
    signalbox: 'The role has no pods, and is treated as if it were not given.',
    why: 'That is what 0 says.',
  },
  {
    id: 'changes-of-a-live-job',
    area: 'running',
    original: 'Acts on any change of a running job’s spec.',
    signalbox:
      'A manifest is read once, when it is submitted. `signalbox scale` changes the size of a role, `signalbox amend` the policy, other commands the deadline and more.',
    why: 'Each change is checked first, and who made it, when and why stays in the history.',
  },
  {
    id: 'time-to-live',
    area: 'ending',
    original: '`ttlSecondsAfterFinished` deletes the job, and with it its record.',
    signalbox: 'All that is left in the cluster goes; the record stays in Temporal.',
    why: 'Tidying up should not cost anybody the reason why a job failed.',
  },
  {
    id: 'suspend',
    area: 'running',
    original:
      'Suspends and resumes by a change of `suspend` in the spec; a pod that still ends when its job is resumed counts as failed.',
    signalbox:
      'Starts suspended where the manifest says so; `signalbox suspend` and `resume`, or the updates of these names, do it later. A resumed job is a new attempt, which begins when the last pod is gone.',
    why: 'Who asked, when and why stays in the history, and old pods cannot fail new ones.',
  },
  {
    id: 'managed-by',
    area: 'manifest',
    original: 'Says nothing about a job whose `managedBy` names another controller, and leaves it alone.',
    signalbox: 'Refuses it.',
    why: 'Whoever submits a job here wants it run here.',
  },
  {
    id: 'env-of-the-user-wins',
    area: 'objects',
    original: 'Appends its variables, so that they silently override those of the manifest.',
    signalbox: 'Keeps a variable that the manifest sets, with a warning.',
    why: 'What somebody writes is what they get.',
  },
  {
    id: 'services-publish-not-ready',
    area: 'objects',
    original: 'Services answer for ready pods only.',
    signalbox: '`publishNotReadyAddresses: true`.',
    why: 'Peers must find each other before any of them is ready.',
    leavesOut: [{ kind: 'Service', path: ['spec', 'publishNotReadyAddresses'] }],
  },
  {
    id: 'owner',
    area: 'objects',
    original: 'Objects are owned by the job’s own object, e.g. a PyTorchJob.',
    signalbox: 'By the job’s anchor, a ConfigMap named `<job>.signalbox`.',
    why: 'A job here is a workflow; the anchor ties it to the cluster.',
    leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
  },
  {
    id: 'more-labels',
    area: 'objects',
    original: 'Five labels of training.kubeflow.org.',
    signalbox: 'The same, and some of signalbox.dev: the job, its attempt, role and index.',
    why: 'By them everything of a job is found, and an attempt told from the next.',
  },
  {
    id: 'equal-ports',
    area: 'objects',
    original: 'Adds its port also where the same number has another name; the Service is then refused.',
    signalbox: 'Adds it only where neither name nor number is taken.',
    why: 'The Service could never be made.',
  },
  {
    id: 'ports-of-services',
    area: 'objects',
    original: 'A Service’s ports are all TCP, and several without a name become one.',
    signalbox: 'Each port keeps its protocol, and gets a name if it has none.',
    why: 'They did not work.',
  },
  ...ATTEMPTS,
  ...GANGS,
  {
    id: 'lost-pods-are-replaced',
    area: 'running',
    original:
      'Counts a pod that is being deleted while it runs as failed; with `Never` the job fails, a TFJob or XGBoostJob with any policy.',
    signalbox:
      'Makes it again, whatever the policy and whatever it exits with, 0 included; it counts against `backoffLimit`.',
    why: 'A drained node is not the program’s fault.',
  },
  {
    id: 'back-off-between-replacements',
    area: 'running',
    original: 'Makes a failed pod again as fast as it fails.',
    signalbox:
      'Waits before the second replacement in a row: 10 s, doubled up to 5 min, afresh after 10 min.',
    why: 'A pod that fails at once would keep scheduler and image registry busy for nothing.',
  },
  {
    id: 'no-exit-code',
    area: 'running',
    original: 'Takes a pod without an exit code for one that exited with 48879.',
    signalbox: 'Takes it for lost: with `ExitCode` it runs again, and the cause says that there was no code.',
    why: 'The same decision, told as it is.',
  },
  {
    id: 'successes-are-remembered',
    area: 'running',
    original: 'Runs a replica again whose pod is deleted after it succeeded.',
    signalbox: 'Remembers which replicas have succeeded.',
    why: 'Nodes are removed; the work is done.',
  },
  {
    id: 'backoff-limit',
    area: 'running',
    original:
      'Fails at the n-th restart in place, and does not see restarts by replacement: those have no limit.',
    signalbox: 'Allows n restarts, whoever makes them, and fails when one more is needed.',
    why: 'A limit that is not reached is none.',
  },
  {
    id: 'deadline',
    area: 'running',
    original: 'Looks at `activeDeadlineSeconds` only when something else happens.',
    signalbox: 'A durable timer.',
    why: 'A quiet job would run on for ever.',
  },
  {
    id: 'clean-up-after-limits',
    area: 'ending',
    original: 'Deadline and backoff limit remove every pod, whatever `cleanPodPolicy` says.',
    signalbox: 'With `None` they remove the pods that still run, and keep the others and their logs.',
    why: 'The logs tell why.',
  },
  {
    id: 'services-follow-pods',
    area: 'ending',
    original: 'A Service whose pod is gone already stays.',
    signalbox: 'With `Running` only the Services of pods that are kept stay; with `All` none.',
    why: 'Nothing should be left behind.',
  },
  {
    id: 'one-outcome',
    area: 'status',
    original: 'Succeeded and Failed may both be True, and Restarting may stay True after the end.',
    signalbox: 'One of them is True, once; the end makes Running and Restarting False.',
    why: 'A job ends once.',
  },
  {
    id: 'restarting-is-told',
    area: 'status',
    original:
      'Whether a job with a Master is Restarting while one of its workers is made again depends on the random order in which roles are looked at.',
    signalbox: 'It is, until every replica is ready again.',
    why: 'The same failure should always read the same.',
  },
  {
    id: 'counts-at-limits',
    area: 'status',
    original: 'Deadline and backoff limit leave `replicaStatuses` as they were before.',
    signalbox: 'They count the pod that failed.',
    why: 'It is what used the limit up.',
  },
  {
    id: 'completion-time',
    area: 'status',
    original: 'A permanent exit code leaves `completionTime` empty, but for a TFJob.',
    signalbox: 'Every end has one.',
    why: 'Clean-up and people’s tools rely on it.',
  },
  {
    id: 'stopped',
    area: 'status',
    original: 'Knows no stop but deletion.',
    signalbox:
      'A stopped job has Running=False with a reason like `PyTorchJobStopped`, and neither Succeeded nor Failed.',
    why: 'It did neither.',
  },
  {
    id: 'running-means-ready',
    area: 'status',
    original: 'Running is True as soon as the master, or one Worker, runs.',
    signalbox: 'When every replica is ready.',
    why: 'A job with a missing worker does not train.',
  },
  {
    id: 'active-means-placed',
    area: 'status',
    original: 'Counts a pod as active when its containers have started.',
    signalbox: 'When it has a node.',
    why: 'It holds its resources from then on.',
  },
];

/** Of the kinds that have exactly one Master. */
export const MASTER_REPLICAS_OPTIONAL: Difference = {
  id: 'master-replicas-optional',
  area: 'manifest',
  original: 'Refuses a Master without `replicas`, as it validates before it fills in defaults.',
  signalbox: '`replicas` is 1 where it is left out.',
  why: 'The default is documented.',
};

/** Of the kinds that have an elasticPolicy. */
export const ELASTIC_GANG: Difference = {
  id: 'elastic-gang',
  area: 'objects',
  original: 'The gang of an elastic job is all of its pods, unless `minAvailable` says otherwise.',
  signalbox: 'Of workers it needs `minReplicas` only.',
  why: 'It can start with those.',
};

export const NO_AUTOSCALER: Difference = {
  id: 'no-autoscaler',
  area: 'objects',
  original:
    'Makes a HorizontalPodAutoscaler for `elasticPolicy.metrics` of a PyTorchJob, and none for a PaddleJob.',
  signalbox: 'Makes none, with a warning.',
  why: 'There is no object in the cluster whose scale it could change.',
};
