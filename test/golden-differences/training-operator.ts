import { ATTEMPTS } from './attempts.ts';
import type { Difference } from './difference.ts';
import { GANGS } from './gangs.ts';
import { SIDECARS } from './sidecars.ts';

/** What training-operator v1.9 does with all of its kinds. */
export const TRAINING_OPERATOR: readonly Difference[] = [
  {
    id: 'role-names-in-any-case',
    area: 'manifest',
    original: 'Rejects `worker`, although it would rename it to `Worker` later; a TFJob may have it.',
    signalbox: 'Accepts role names in any case; a duplicate role is an error.',
    why: 'The meaning is clear.',
  },
  {
    id: 'first-container-trains',
    area: 'manifest',
    original: 'Rejects a pod without a container named after its kind, e.g. `pytorch`.',
    signalbox: 'Uses the first container, with a warning.',
    why: 'With one container there is no choice.',
  },
  {
    id: 'values-are-checked',
    area: 'manifest',
    original:
      'Accepts wrong policies, negative limits, 0 as `minAvailable`, `minReplicas` or port, and names too long for a Service; the job then hangs, or loses pods.',
    signalbox: 'Rejects them at once and lists every error by its path.',
    why: 'A job that cannot run should not be left waiting.',
  },
  {
    id: 'no-replicas',
    area: 'manifest',
    original: 'Creates and deletes the first pod of a role with `replicas: 0` again and again.',
    signalbox: 'The role has no pods and is treated as absent.',
    why: 'That is what 0 means.',
  },
  {
    id: 'changes-of-a-live-job',
    area: 'running',
    original: 'Applies any change of a running job’s spec.',
    signalbox:
      'Changes templates only while the job has no pods ([what can change](interventions.md#what-apply-does)).',
    why: 'Each change is checked first, and the history records who made it, when and why.',
  },
  {
    id: 'time-to-live',
    area: 'ending',
    original: '`ttlSecondsAfterFinished` deletes the job and its record.',
    signalbox: 'Deletes everything that remains in the cluster; the record stays in Temporal.',
    why: 'Clean-up should not lose the reason why a job failed.',
  },
  {
    id: 'suspend',
    area: 'running',
    original:
      'Suspends and resumes when `suspend` changes in the spec; a pod that still terminates then counts as failed.',
    signalbox:
      'Starts suspended if the manifest says so; later, `signalbox suspend` and `resume` apply, and edits of its [custom resource](front-door.md#edit-it). Resuming starts a new attempt once the last pod is gone; the first start is attempt 1.',
    why: 'The history records who asked, when and why, and old pods cannot fail the new attempt.',
  },
  {
    id: 'queue-of-a-resource',
    area: 'running',
    original: 'Its definitions refuse another `schedulingPolicy.queue`, whatever the job does.',
    signalbox:
      'A suspended job follows another queue. Of one with pods the [policies](front-door.md#policies) refuse it, or an event says that it is not followed.',
    why: 'Without pods there is no group yet, and the job can go to another queue.',
  },
  {
    id: 'managed-by',
    area: 'manifest',
    original: 'Ignores a job whose `managedBy` names another controller.',
    signalbox: 'Rejects it.',
    why: 'A job submitted to signalbox is meant to run there.',
  },
  {
    id: 'env-of-the-user-wins',
    area: 'objects',
    original: 'Appends its variables, which silently override those of the manifest.',
    signalbox: 'Keeps a variable that the manifest sets, with a warning.',
    why: 'The manifest takes precedence.',
  },
  {
    id: 'services-publish-not-ready',
    area: 'objects',
    original: 'Services resolve only ready pods.',
    signalbox: 'Sets `publishNotReadyAddresses: true`.',
    why: 'Peers must find each other before any of them is ready.',
    leavesOut: [{ kind: 'Service', path: ['spec', 'publishNotReadyAddresses'] }],
  },
  {
    id: 'owner',
    area: 'objects',
    original: 'The job’s own object, e.g. a PyTorchJob, owns all objects.',
    signalbox: 'The job’s anchor owns them: a ConfigMap named `<job>.signalbox`.',
    why: 'A job is a workflow; its anchor represents it in the cluster.',
    leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
  },
  {
    id: 'more-labels',
    area: 'objects',
    original: 'Sets five labels of training.kubeflow.org.',
    signalbox:
      'Sets the same, and some of signalbox.dev: the job, its attempt, role, index and main container.',
    why: 'They identify a job’s objects and distinguish its attempts.',
  },
  {
    id: 'equal-ports',
    area: 'objects',
    original:
      'Adds its port even if the number exists under another name; the API server then rejects the Service.',
    signalbox: 'Adds it only if neither name nor number is taken.',
    why: 'The Service could never be created.',
  },
  {
    id: 'ports-of-services',
    area: 'objects',
    original: 'Makes all ports of a Service TCP, and merges those without a name into one.',
    signalbox: 'Keeps the protocol of each port, and names those without a name.',
    why: 'Such ports do not work.',
  },
  ...ATTEMPTS,
  ...SIDECARS,
  ...GANGS,
  {
    id: 'lost-pods-are-replaced',
    area: 'running',
    original:
      'Counts a pod that is deleted while it runs as failed; the job fails with `Never`, a TFJob or XGBoostJob with any policy.',
    signalbox:
      'Recreates it, whatever the policy and the exit code, including 0; this counts against `backoffLimit`.',
    why: 'A drained node is not the program’s fault.',
  },
  {
    id: 'back-off-between-replacements',
    area: 'running',
    original: 'Recreates a failed pod without delay.',
    signalbox:
      'Waits before the second replacement in a row: 10 s, doubled each time up to 5 min, reset after 10 min.',
    why: 'A pod that fails immediately would load scheduler and image registry for nothing.',
  },
  {
    id: 'silent-node',
    area: 'running',
    original: 'Waits for ever for a pod on a silent node.',
    signalbox:
      'Restarts the gang without it once Kubernetes deletes it, where the old pod can do nothing beside the new ranks, which then [meet at another port](policy.md#pods-on-silent-nodes); else waits and says why. `nodes: { waitForSilent: true }` keeps to the original.',
    why: 'A job must not wait for a node that is gone. Decision 111 says why that is safe.',
  },
  {
    id: 'deleted-services-return',
    area: 'running',
    original: 'Watches its Services, and creates a deleted one again at once.',
    signalbox: 'Looks for deleted Services every minute (two scan intervals), and creates them again.',
    why: 'A stream of all Services would cost more than it tells.',
  },
  {
    id: 'no-exit-code',
    area: 'running',
    original: 'Treats a pod without an exit code as if it exited with 48879.',
    signalbox:
      'Treats it as lost: with `ExitCode` it is restarted, and the cause says that there was no code.',
    why: 'The decision is the same, but reported correctly.',
  },
  {
    id: 'successes-are-remembered',
    area: 'running',
    original: 'Restarts a replica whose pod is deleted after it succeeded.',
    signalbox: 'Remembers which replicas have succeeded.',
    why: 'Nodes are removed, but the work is done.',
  },
  {
    id: 'backoff-limit',
    area: 'running',
    original: 'Fails at the n-th in-place restart, and does not count replacements, which have no limit.',
    signalbox: 'Allows n restarts of any sort, and fails when one more is needed.',
    why: 'The limit applies to every restart.',
  },
  {
    id: 'deadline',
    area: 'running',
    original: 'Checks `activeDeadlineSeconds` only when something else happens.',
    signalbox: 'Uses a durable timer.',
    why: 'Otherwise a quiet job never reaches its deadline.',
  },
  {
    id: 'clean-up-after-limits',
    area: 'ending',
    original: 'Removes every pod at the deadline or backoff limit, whatever `cleanPodPolicy` says.',
    signalbox: 'With `None`, removes the pods that still run and keeps the others with their logs.',
    why: 'The logs show why the job failed.',
  },
  {
    id: 'services-follow-pods',
    area: 'ending',
    original: 'Keeps a Service whose pod is already gone.',
    signalbox: 'With `Running`, keeps only the Services of pods that are kept; with `All`, none.',
    why: 'Nothing unused should remain.',
  },
  {
    id: 'one-outcome',
    area: 'status',
    original: 'Succeeded and Failed can both be True, and Restarting can stay True after the end.',
    signalbox: 'Exactly one of them becomes True; at the end Running and Restarting are False.',
    why: 'A job has one outcome.',
  },
  {
    id: 'restarting-is-told',
    area: 'status',
    original: 'Whether a job with a Master is Restarting while a worker is recreated is random.',
    signalbox: 'It is Restarting until every replica is ready again.',
    why: 'The same failure should always give the same status.',
  },
  {
    id: 'counts-at-limits',
    area: 'status',
    original: 'Does not update `replicaStatuses` at the deadline or backoff limit.',
    signalbox: 'Counts the failed pod.',
    why: 'That failure reached the limit.',
  },
  {
    id: 'completion-time',
    area: 'status',
    original: 'A permanent exit code leaves `completionTime` empty, except for a TFJob.',
    signalbox: 'Every ended job has one.',
    why: 'Clean-up and users’ tools rely on it.',
  },
  {
    id: 'stopped',
    area: 'status',
    original: 'A job can be stopped only by deleting it.',
    signalbox:
      'A stopped job has Running=False with a reason like `PyTorchJobStopped`, and neither Succeeded nor Failed.',
    why: 'The job neither succeeded nor failed.',
  },
  {
    id: 'running-means-ready',
    area: 'status',
    original: 'Running is True as soon as the master, or one Worker, runs.',
    signalbox: 'Running is True when every replica is ready.',
    why: 'A job with a missing worker does not train.',
  },
  {
    id: 'active-means-placed',
    area: 'status',
    original: 'Counts a pod as active when its containers have started.',
    signalbox:
      'Counts it when it has a node; a [custom resource](front-door.md#with-kueue) counts all that may exist while the job starts, restarts or is being suspended.',
    why: 'The pod holds its resources from then on.',
  },
];

/** Of the kinds that have exactly one Master. */
export const MASTER_REPLICAS_OPTIONAL: Difference = {
  id: 'master-replicas-optional',
  area: 'manifest',
  original: 'Rejects a Master without `replicas`.',
  signalbox: '`replicas` defaults to 1.',
  why: 'The default is documented.',
};

/** Of the kinds that have an elasticPolicy. */
export const ELASTIC_GANG: Difference = {
  id: 'elastic-gang',
  area: 'objects',
  original: 'The gang of an elastic job contains all its pods, unless `minAvailable` is set.',
  signalbox: 'It needs only `minReplicas` workers.',
  why: 'The job can start with those.',
};

export const NO_AUTOSCALER: Difference = {
  id: 'no-autoscaler',
  area: 'objects',
  original:
    'Creates a HorizontalPodAutoscaler for `elasticPolicy.metrics` of a PyTorchJob, and none for a PaddleJob.',
  signalbox:
    'Creates one for each, if the job is a [custom resource](front-door.md#edit-it), and deletes it at its end, too; else none, with a warning. One that is not the job’s is left alone.',
  why: 'Without a custom resource there is no object whose scale it could change.',
};
