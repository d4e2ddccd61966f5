/**
 * Reason codes: every state that is not a success has one. `sentence` is what a user reads first; `remedy` is what the
 * user can do. docs/reasons.md is generated from this table.
 */
export const REASONS = {
  // Waiting
  CreatingObjects: {
    class: 'waiting',
    sentence: 'The objects of the job are being created.',
    remedy:
      'Wait; if it lasts, look at the pending activity in the Temporal UI: it names what the API server answered.',
  },
  AwaitingWatcher: {
    class: 'waiting',
    sentence: 'The pods exist, and no watcher has told the job of them yet.',
    remedy:
      'Wait a moment; if it lasts, no watcher works: start one (`signalbox watcher`, or `signalbox up`), or ask the one there is why it is not ready (`/readyz`).',
  },
  QuotaExceeded: {
    class: 'waiting',
    sentence: 'A ResourceQuota of the namespace leaves no room for the job’s objects.',
    remedy: 'Free or raise the quota that the message names; the job goes on by itself.',
  },
  Forbidden: {
    class: 'waiting',
    sentence: 'The API server forbids signalbox something that the job needs.',
    remedy:
      'Grant the account that the message names the right it lacks (deploy/kubernetes lists them all); the job goes on by itself.',
  },
  NamespaceMissing: {
    class: 'waiting',
    sentence: 'The job’s namespace does not exist, or is being deleted.',
    remedy: 'Create the namespace, and the job goes on by itself; or stop the job and submit it to another.',
  },
  DependencyMissing: {
    class: 'waiting',
    sentence: 'The job’s objects name something that the cluster does not have.',
    remedy:
      'Create what the message names, e.g. a service account, a priority class or a custom resource; the job goes on by itself.',
  },
  WebhookAway: {
    class: 'waiting',
    sentence: 'An admission webhook that the API server has to ask does not answer.',
    remedy: 'Repair the webhook that the message names; the job goes on by itself.',
  },
  ClusterAway: {
    class: 'waiting',
    sentence: 'The API server does not answer, or answers with an error of its own.',
    remedy: 'Wait, or look at the API server; the job goes on by itself.',
  },
  WaitingForGang: {
    class: 'waiting',
    sentence: 'The gang scheduler has not found room for the whole gang.',
    remedy:
      'Free capacity, add nodes, or ask for less; nothing is held meanwhile, but by Coscheduling until its time-out.',
  },
  Unschedulable: {
    class: 'waiting',
    sentence: 'At least one pod has no node.',
    remedy: 'Read the scheduler’s message: it says which nodes were tried and what each lacked.',
  },
  ContainersNotReady: {
    class: 'waiting',
    sentence: 'Every pod has a node, but not every container is ready.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap or a readiness probe.',
  },
  ContainersRestarting: {
    class: 'waiting',
    sentence:
      'A container ended with an error, and its kubelet starts it again, each time after a longer pause.',
    remedy:
      'Read the log of the run that ended: `kubectl logs POD -c CONTAINER --previous`. runPolicy.backoffLimit, or a rung of scope container in restart.ladder, bounds how often it is tried.',
  },
  NodeNotReady: {
    class: 'waiting',
    sentence: 'A node with pods of the job is not ready, or out of service.',
    remedy:
      'Look at the node named: its kubelet, its network. The job goes on when it is ready again; with `nodes.lostAfter` in the policy its pods are replaced after that time.',
  },
  ReplacingPods: {
    class: 'waiting',
    sentence: 'Failed or lost pods are being replaced.',
    remedy: 'Wait; each replacement counts against runPolicy.backoffLimit.',
  },
  RestartingGang: {
    class: 'waiting',
    sentence: 'The whole gang starts again, as a new attempt.',
    remedy: 'Wait; nothing of the new attempt is made before every pod of the old one is gone.',
  },
  PodsTerminating: {
    class: 'waiting',
    sentence: 'Pods that were told to stop are still there after their grace period.',
    remedy:
      'Look at the node named: repair it, or remove it from the cluster; if nothing is wrong with it, at the pod’s finalizers. With `nodes.forceDeleteAfter` in the policy such pods are deleted by force, at the risk that two of them write.',
  },
  HeldForDebugging: {
    class: 'waiting',
    sentence: 'The failed pods are kept so that somebody can look at them.',
    remedy: 'Look at them; `signalbox release` lets the job go on, `signalbox hold` keeps them for longer.',
  },
  Scaling: {
    class: 'waiting',
    sentence: 'Replicas are being added or removed.',
    remedy: 'Wait.',
  },
  CheckpointRequested: {
    class: 'waiting',
    sentence: 'The job was asked for a checkpoint before it stops.',
    remedy: 'Wait until it says that it is written, or its time is over; a second stop does not wait.',
  },
  Suspended: {
    class: 'waiting',
    sentence: 'The job is suspended: it has no pods, and holds nothing.',
    remedy: 'Resume it: `signalbox resume`.',
  },
  CleaningUp: {
    class: 'waiting',
    sentence: 'The outcome is decided; the objects that the clean-up policy names are being deleted.',
    remedy:
      'Wait; if it lasts, read the message: it says what may not be deleted, and why. `signalbox retry-now` tries again at once.',
  },
  // Failed
  InvalidManifest: {
    class: 'request',
    sentence: 'The manifest has faults; nothing was created.',
    remedy: 'Correct each fault that the message lists by its path and submit again.',
  },
  NameTaken: {
    class: 'request',
    sentence: 'Another live job, or an object that is not of signalbox, has a name that this job needs.',
    remedy: 'Stop the other job, remove the object, or choose another name.',
  },
  ClusterRefused: {
    class: 'request',
    sentence:
      'The API server refused an object for good, or for longer than the policy’s refusals.failAfter.',
    remedy:
      'Read its message: a pod template that it does not accept, or a quota, right or namespace that was missing for too long.',
  },
  PodFailed: {
    class: 'program',
    sentence: 'A pod failed and its restart policy allows no other run.',
    remedy: 'Read the pod’s log; choose restartPolicy OnFailure or ExitCode if another run could succeed.',
  },
  PodEvicted: {
    class: 'infrastructure',
    sentence: 'A pod was evicted that the job cannot go on without.',
    remedy: 'Read the pod’s message: it says what its node ran out of; ask for what the program needs.',
  },
  PermanentExitCode: {
    class: 'program',
    sentence: 'A container ended with an exit code below 128, which restartPolicy ExitCode takes as final.',
    remedy: 'Read the pod’s log; a program that wants another run exits with 128 or more.',
  },
  BackoffLimitExceeded: {
    class: 'program',
    sentence: 'The job was restarted as often as runPolicy.backoffLimit allows, and failed again.',
    remedy: 'Read the log of the pod named; raise backoffLimit if restarts are expected.',
  },
  FinalFailure: {
    class: 'program',
    sentence: 'A pod failed in a way that the job’s policy takes as final.',
    remedy:
      'Read the evidence: `signalbox evidence`; the rule named is in the annotation signalbox.dev/policy.',
  },
  FailureBudgetExceeded: {
    class: 'program',
    sentence: 'Failures of one class came more often than its budget in the job’s policy allows.',
    remedy: 'Read the evidence: `signalbox evidence`; raise the budget of a live job with `signalbox amend`.',
  },
  RestartsExhausted: {
    class: 'program',
    sentence: 'Every rung of the policy’s restart ladder was used up, and the job failed again.',
    remedy: 'Read the evidence: `signalbox evidence`; allow more restarts in restart.ladder.',
  },
  NodeLost: {
    class: 'infrastructure',
    sentence: 'A node was in trouble for longer than the policy’s nodes.lostAfter; its pods are lost.',
    remedy: 'Repair or remove the node; the job’s restart rules decide what follows.',
  },
  StartUpFailed: {
    class: 'infrastructure',
    sentence: 'Pods waited longer to start than the policy allows.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap, or no node with room.',
  },
  Stalled: {
    class: 'program',
    sentence: 'The job reported no progress for longer than the policy’s progress.stalledAfter.',
    remedy: 'Read the evidence: it has the last log lines of the pods that still ran.',
  },
  DeadlineExceeded: {
    class: 'limit',
    sentence: 'The job was active for longer than runPolicy.activeDeadlineSeconds.',
    remedy: 'Raise the limit, or find out with the timeline what took the time.',
  },
  // Stopped
  StopRequested: {
    class: 'stopped',
    sentence: 'Somebody asked for the job to be stopped.',
    remedy: 'Submit it again to run it again.',
  },
  Cancelled: {
    class: 'stopped',
    sentence: 'The workflow was cancelled.',
    remedy: 'Submit it again to run it again.',
  },
  AnchorDeleted: {
    class: 'stopped',
    sentence: 'The job’s anchor in the cluster was deleted, and with it all its objects.',
    remedy: 'Submit it again to run it again.',
  },
  WorkflowTerminated: {
    class: 'stopped',
    sentence: 'The workflow was ended without clean-up; its objects were swept.',
    remedy: 'Use `signalbox stop`, or cancel instead of terminate, to end a job in order.',
  },
  EngineFault: {
    class: 'engine',
    sentence: 'signalbox itself could not go on.',
    remedy: 'Please report it with the workflow’s history.',
  },
} as const satisfies Record<string, ReasonEntry>;

export interface ReasonEntry {
  readonly class: 'waiting' | 'request' | 'program' | 'infrastructure' | 'limit' | 'stopped' | 'engine';
  readonly sentence: string;
  readonly remedy: string;
}

export type ReasonCode = keyof typeof REASONS;
