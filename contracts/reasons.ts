/**
 * Reason codes: every state that is not a success has one. `sentence` is what a user reads first; `remedy` is what the
 * user can do. docs/states.md is generated from this table.
 *
 * @public
 */
export const REASONS = {
  // Waiting
  CreatingObjects: {
    class: 'waiting',
    sentence: 'The objects of the job are being created.',
    remedy:
      'Wait; if it lasts, look at the pending activity in the Temporal UI: it shows the API server’s answer.',
  },
  AwaitingWatcher: {
    class: 'waiting',
    sentence: 'The pods exist, but no watcher has reported them yet.',
    remedy:
      'Wait a moment. If it lasts, `signalbox doctor` says whether a watcher runs (start one with `signalbox watcher`, or `signalbox up`), and which of its streams from the cluster are interrupted; so does `/readyz` of the watcher.',
  },
  QuotaExceeded: {
    class: 'waiting',
    sentence: 'A ResourceQuota of the namespace leaves no room for the job’s objects.',
    remedy: 'Free or raise the quota that the message names; the job continues by itself.',
  },
  NeverFits: {
    class: 'waiting',
    sentence: 'The job needs more than its lane, its queue or the nodes could give it if all else had ended.',
    remedy:
      'See `signalbox why NAME`. Request less, raise the limit that the message names, or add nodes; the job continues by itself. Or stop it.',
  },
  Forbidden: {
    class: 'waiting',
    sentence: 'signalbox lacks a permission that the job needs.',
    remedy:
      'Grant the permission to the account that the message names (deploy/kubernetes lists all permissions); the job continues by itself.',
  },
  NamespaceMissing: {
    class: 'waiting',
    sentence: 'The job’s namespace does not exist, or is being deleted.',
    remedy:
      'Create the namespace, and the job continues by itself; or stop the job and submit it to another.',
  },
  DependencyMissing: {
    class: 'waiting',
    sentence: 'The job’s objects name something that the cluster does not have.',
    remedy:
      'Create what the message names, e.g. a service account, a priority class or a custom resource; the job continues by itself.',
  },
  WebhookAway: {
    class: 'waiting',
    sentence: 'An admission webhook that the API server must call does not answer.',
    remedy: 'Repair the webhook that the message names; the job continues by itself.',
  },
  ClusterAway: {
    class: 'waiting',
    sentence: 'The API server does not answer, or answers with an error of its own.',
    remedy: 'Wait, or look at the API server; the job continues by itself.',
  },
  WaitingForGang: {
    class: 'waiting',
    sentence: 'The gang scheduler has not found room for the whole gang.',
    remedy:
      'See `signalbox why NAME`: it says node by node what is short. Free capacity, add nodes, or request less. In a sandbox, `signalbox sandbox up --gpus N` pretends GPUs.',
  },
  WaitingInLane: {
    class: 'waiting',
    sentence: 'The job waits for its turn in its lane.',
    remedy: 'See `signalbox queue` for who is ahead and who holds what, and `signalbox why NAME`.',
  },
  LaneFaulty: {
    class: 'waiting',
    sentence: 'The configuration of lanes, or of the job’s lane, is missing or has a fault.',
    remedy:
      'An administrator has to mend the ConfigMap that SIGNALBOX_LANES names, as the message says; the job continues by itself.',
  },
  CapacityTaken: {
    class: 'waiting',
    sentence:
      'There was room for the whole gated gang, but others took some of it before all pods had a node; the gang gives back what it held, and waits for its next turn.',
    remedy:
      'Wait. If it happens again and again, pods of others come and go on the same nodes: keep them off by taints, or give the job a priority class above theirs.',
  },
  TooFewNewNodes: {
    class: 'waiting',
    sentence:
      'The gates of the gang were lifted before there was room for it (`lift: onQuota`), and not all of its pods got a node soon after the first; the gang gives back what it held, and waits anew.',
    remedy:
      'Wait: nodes that come late are there for the next try. If it happens again and again, the autoscaler adds fewer nodes than the gang needs: see its limits. With `gated-native` no part of a gang is placed.',
  },
  Unschedulable: {
    class: 'waiting',
    sentence: 'At least one pod has no node.',
    remedy:
      'See `signalbox why NAME`: it says node by node what is short, and what else the pods lack. Without a message of the scheduler, no scheduler has tried the pod: none with its schedulerName runs, or the pod needs a ResourceClaim that does not exist. In a sandbox, `signalbox sandbox up --gpus N` pretends GPUs.',
  },
  ContainersNotReady: {
    class: 'waiting',
    sentence: 'Every pod has a node, but not every container is ready.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap or a readiness probe.',
  },
  ContainersRestarting: {
    class: 'waiting',
    sentence: 'A container fails again and again; its kubelet restarts it after growing pauses.',
    remedy:
      'Read the log of the run that ended: `signalbox logs NAME --pod POD --previous`. runPolicy.backoffLimit, or a rung of scope container in restart.ladder, limits how often it is restarted.',
  },
  NodeNotReady: {
    class: 'waiting',
    sentence: 'A node that runs pods of the job is not ready, or out of service.',
    remedy:
      'Check the kubelet and the network of the named node. The job continues when the node is ready; with `nodes.lostAfter` in the policy its pods are replaced after that time.',
  },
  ReplacingPods: {
    class: 'waiting',
    sentence: 'Failed or lost pods are being replaced.',
    remedy: 'Wait; each replacement counts against runPolicy.backoffLimit.',
  },
  RestartingGang: {
    class: 'waiting',
    sentence: 'The whole gang restarts, as a new attempt.',
    remedy: 'Wait; the new attempt begins when every pod of the old one is gone.',
  },
  Evicted: {
    class: 'waiting',
    sentence:
      'The queue that admitted the job takes that back; the job stops, and waits to be admitted again.',
    remedy: 'Wait: the job continues by itself. The message says what the queue gave as its reason.',
  },
  Preempted: {
    class: 'waiting',
    sentence: 'A job of a higher priority takes the place of this one, which waits to be admitted again.',
    remedy: 'Wait, or raise the priority of the job. A checkpoint in time limits what is lost.',
  },
  Reclaimed: {
    class: 'waiting',
    sentence:
      'The job ran on what its queue had borrowed, which the owner takes back; it waits to be admitted again.',
    remedy: 'Wait: the job continues when its queue has room. A checkpoint in time limits what is lost.',
  },
  PodsTerminating: {
    class: 'waiting',
    sentence: 'Pods that are being deleted are still there after their grace period.',
    remedy:
      'Repair the named node, or remove it from the cluster. A named finalizer is removed by the program that added it; if that is gone, remove it by hand (`kubectl edit pod`). With `nodes.forceDeleteAfter` in the policy such pods are deleted by force, at the risk that an old pod and its replacement both write.',
  },
  HeldForDebugging: {
    class: 'waiting',
    sentence: 'The failed pods are kept for inspection.',
    remedy: 'Inspect them; `signalbox release` lets the job continue, `signalbox hold` keeps them longer.',
  },
  Scaling: {
    class: 'waiting',
    sentence: 'Replicas are being added or removed.',
    remedy: 'Wait.',
  },
  CheckpointRequested: {
    class: 'waiting',
    sentence: 'The job was asked for a checkpoint before it stops.',
    remedy: 'Wait until the checkpoint is acknowledged or its time is over; a second stop does not wait.',
  },
  Suspended: {
    class: 'waiting',
    sentence: 'The job is suspended: it has no pods and uses no resources.',
    remedy:
      'Resume it: `signalbox resume`. If a queue such as Kueue suspends it, wait: `signalbox why` says for what.',
  },
  CleaningUp: {
    class: 'waiting',
    sentence: 'The outcome is decided; the objects that the clean-up policy names are being deleted.',
    remedy:
      'Wait; if it lasts, read the message: it says what cannot be deleted, and why. `signalbox retry-now` tries again at once.',
  },
  // Failed
  InvalidManifest: {
    class: 'request',
    sentence: 'The manifest has errors; nothing was created.',
    remedy: 'Correct each error that the message lists by its path, and submit again.',
  },
  RepeatedByTemporal: {
    class: 'request',
    sentence: 'The job’s workflow has a cron schedule, or was retried by a retry policy of Temporal.',
    remedy:
      'Terminate the workflow, which a cron schedule would repeat. Start jobs by the clock with `signalbox schedule create` or a Schedule of Temporal; restarts belong into runPolicy.backoffLimit and the policy.',
  },
  ResourceDeleted: {
    class: 'request',
    sentence: 'The custom resource was deleted before its job was admitted; nothing was created.',
    remedy: 'Apply the manifest again to run it.',
  },
  ResourceEnded: {
    class: 'request',
    sentence: 'The custom resource has had its job, which has ended; it was not run again.',
    remedy: 'Delete the resource and apply it again to run it.',
  },
  ResourceRequired: {
    class: 'request',
    sentence: 'This installation runs only jobs that are applied as custom resources; nothing was created.',
    remedy:
      'Apply the manifest to the cluster, e.g. with `kubectl apply -f`. SIGNALBOX_REQUIRE_RESOURCE of the workers decides it (docs/security.md).',
  },
  NameTaken: {
    class: 'request',
    sentence:
      'Another running job, or an object that signalbox did not create, has a name that this job needs.',
    remedy: 'Stop the other job, delete the object, or choose another name.',
  },
  ClusterRefused: {
    class: 'request',
    sentence:
      'The API server rejected an object, or refused it for longer than the policy’s refusals.failAfter.',
    remedy:
      'Read its message: the pod template is invalid, or a quota, permission or namespace was missing for too long.',
  },
  PodFailed: {
    class: 'program',
    sentence: 'A pod failed, and its restart policy does not allow a restart.',
    remedy: 'Read the pod’s log; choose restartPolicy OnFailure or ExitCode if a restart could succeed.',
  },
  PodEvicted: {
    class: 'infrastructure',
    sentence: 'A pod was evicted, and the job cannot continue without it.',
    remedy: 'Read the pod’s message: it says what its node ran out of. Request what the program needs.',
  },
  PermanentExitCode: {
    class: 'program',
    sentence: 'A container ended with an exit code below 128, which restartPolicy ExitCode treats as final.',
    remedy: 'Read the pod’s log; a program that wants a restart exits with 128 or more.',
  },
  BackoffLimitExceeded: {
    class: 'program',
    sentence: 'The job was restarted as often as runPolicy.backoffLimit allows, and failed again.',
    remedy: 'Read the log of the named pod; raise backoffLimit if restarts are expected.',
  },
  FinalFailure: {
    class: 'program',
    sentence: 'A pod failed in a way that the job’s policy treats as final.',
    remedy:
      'Read the evidence: `signalbox evidence`; the named rule is in the annotation signalbox.dev/policy.',
  },
  FailureBudgetExceeded: {
    class: 'program',
    sentence: 'Failures of one class exceeded its budget in the job’s policy.',
    remedy: 'Read the evidence: `signalbox evidence`; raise the budget of a live job with `signalbox amend`.',
  },
  RestartsExhausted: {
    class: 'program',
    sentence: 'Every rung of the policy’s restart ladder was used up, and the job failed again.',
    remedy: 'Read the evidence: `signalbox evidence`; allow more restarts in restart.ladder.',
  },
  NodeLost: {
    class: 'infrastructure',
    sentence: 'A node was unhealthy for longer than the policy’s nodes.lostAfter; its pods count as lost.',
    remedy: 'Repair or remove the node; the job’s restart rules decide what follows.',
  },
  NotPlacedInTime: {
    class: 'limit',
    sentence: 'The gang has not got its nodes within `gang.placedWithin` of the policy.',
    remedy:
      'See the message for what was short. Free capacity, request less, or raise the limit; `otherwise: requeue` lets the job wait anew instead of failing.',
  },
  StartUpFailed: {
    class: 'infrastructure',
    sentence: 'Pods waited longer to start than the policy allows.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap, or no node with room.',
  },
  Stalled: {
    class: 'program',
    sentence: 'The job reported no progress for longer than the policy’s progress.stalledAfter.',
    remedy:
      'Read the evidence: it has the last log lines of the pods that still ran. If they show progress, check the pattern progress.log, and that each report ends its line.',
  },
  DeadlineExceeded: {
    class: 'limit',
    sentence: 'The job was active for longer than runPolicy.activeDeadlineSeconds.',
    remedy: 'Raise the limit, or see in the timeline what took the time.',
  },
  // Stopped
  StopRequested: {
    class: 'stopped',
    sentence: 'A user stopped the job.',
    remedy: 'Submit it again to run it again.',
  },
  Cancelled: {
    class: 'stopped',
    sentence: 'The workflow was cancelled.',
    remedy: 'Submit it again to run it again.',
  },
  AnchorDeleted: {
    class: 'stopped',
    sentence: 'The job’s anchor in the cluster was deleted, and all its objects with it.',
    remedy: 'Submit it again to run it again.',
  },
  WorkflowTerminated: {
    class: 'stopped',
    sentence: 'The workflow ended without clean-up; the sweep deleted its objects.',
    remedy: 'To end a job in order, use `signalbox stop`, or cancel the workflow instead of terminating it.',
  },
  EngineFault: {
    class: 'engine',
    sentence: 'signalbox itself failed.',
    remedy: 'Please report it with the workflow’s history.',
  },
} as const satisfies Record<string, ReasonEntry>;

/**
 * What a reason means.
 *
 * @public
 */
export interface ReasonEntry {
  readonly class: 'waiting' | 'request' | 'program' | 'infrastructure' | 'limit' | 'stopped' | 'engine';
  readonly sentence: string;
  readonly remedy: string;
}

/**
 * The code of a reason, e.g. `Unschedulable`.
 *
 * @public
 */
export type ReasonCode = keyof typeof REASONS;

/** Returns the class of a reason; undefined for one of a later version. */
export const classOfReason = (reason: string | undefined): ReasonEntry['class'] | undefined =>
  isReasonCode(reason) ? REASONS[reason].class : undefined;

export const isReasonCode = (reason: unknown): reason is ReasonCode =>
  typeof reason === 'string' && Object.hasOwn(REASONS, reason);
