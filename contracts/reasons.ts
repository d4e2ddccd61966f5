import { keysOf } from '../language/fields.ts';

/**
 * Why a job waits, or how it ended: a row for each code. `sentence` is what a user reads first; `remedy` is what the user can
 * do, which `remedyOfCause` fills in. Rows of a wait are in order of rank: first what no waiting can cure, then what a user or an
 * administrator must do, then whose turn it is,
 * then room; the first that applies is the reason in `why`. The tables of docs/states.md and docs/why.md, and Python's copy,
 * are generated from this one.
 *
 * @public
 */
export const REASONS = {
  // What no waiting can cure, or is under way.
  Suspended: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'The job is suspended: it has no pods and uses no resources.',
    remedy:
      'Resume it: `signalbox resume NAME`. If a queue such as Kueue suspends it, wait: `signalbox why NAME` says for what.',
  },
  HeldForDebugging: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'The failed pods are kept for inspection.',
    remedy:
      'Inspect them; `signalbox release NAME` lets the job continue, `signalbox hold NAME --for 1h` keeps them longer.',
  },
  CheckpointRequested: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'The job was asked for a checkpoint before it stops.',
    remedy: 'Wait until the checkpoint is acknowledged or its time is over; a second stop does not wait.',
  },
  ReplacingPods: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'Failed or lost pods are being replaced, perhaps after a back-off.',
    remedy: 'Wait; each replacement counts against the job’s limit of restarts, if it has one.',
  },
  RestartingGang: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'The whole gang restarts, as a new attempt.',
    remedy: 'Wait; the new attempt begins when every pod of the old one is gone.',
  },
  Evicted: {
    class: 'waiting',
    shownIn: 'status',
    sentence:
      'The queue that admitted the job takes that back; the job stops, and waits to be admitted again.',
    remedy: 'Wait: the job continues by itself. The message says what the queue gave as its reason.',
  },
  Preempted: {
    class: 'waiting',
    shownIn: 'status',
    sentence: 'A job of a higher priority takes the place of this one, which waits to be admitted again.',
    remedy: 'Wait, or raise the priority of the job. A checkpoint in time limits what is lost.',
  },
  Reclaimed: {
    class: 'waiting',
    shownIn: 'status',
    sentence:
      'The job ran on what its queue had borrowed, which the owner takes back; it waits to be admitted again.',
    remedy: 'Wait: the job continues when its queue has room. A checkpoint in time limits what is lost.',
  },
  CapacityTaken: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence:
      'There was room for the whole gated gang, but others took some of it before all pods had a node; the gang gives back what it held, and waits for its next turn.',
    remedy:
      'Wait. If it happens again and again, pods of others come and go on the same nodes: keep them off by taints, or give the job a priority class above theirs.',
  },
  TooFewNewNodes: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence:
      'The gates of the gang were lifted before there was room for it (`lift: onQuota`), and not all of its pods got a node soon after the first; the gang gives back what it held, and waits anew.',
    remedy:
      'Wait: nodes that come late are there for the next try. If it happens again and again, the autoscaler adds fewer nodes than the gang needs: see its limits. With `gated-native` no part of a gang is placed.',
  },
  Scaling: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'Replicas are being added or removed.',
    remedy: 'Wait.',
  },
  NeverFits: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence:
      'The job needs more than it could have if all else had ended: more than the nodes have, or than a quota, its queue or its lane allows.',
    remedy:
      'Request less, raise the limit that the message names, or add nodes; then the job continues by itself. Or stop it.',
  },
  // What a user or an administrator must do.
  Forbidden: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'signalbox lacks a permission that the job needs.',
    remedy:
      'Grant the permission to the account that the message names (deploy/kubernetes lists all permissions); the job continues by itself.',
  },
  NamespaceMissing: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'The job’s namespace does not exist.',
    remedy:
      'Create the namespace, and the job continues by itself; or stop the job and submit it to another.',
  },
  NamespaceTerminating: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'The job’s namespace is being deleted: nothing can be created in it any more.',
    remedy:
      'Stop the job and submit it to another namespace. Or create the namespace again once it is gone; the job then continues by itself.',
  },
  WebhookUnavailable: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'An admission webhook that the API server must call does not answer.',
    remedy: 'Repair the webhook that the message names; the job continues by itself.',
  },
  ApiServerUnavailable: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'The API server does not answer, or answers with an error of its own.',
    remedy: 'Wait, or look at the API server; the job continues by itself.',
  },
  ClusterRefused: {
    class: 'request',
    shownIn: 'both',
    who: 'you',
    sentence:
      'The API server refuses an object of the job: it is invalid, or a policy or webhook denies it; or it was refused for longer than the policy’s refusals.failAfter.',
    remedy:
      'Read its message: the pod template is invalid or not allowed, or a quota, permission or namespace was missing for too long.',
  },
  DependencyMissing: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence:
      'The job’s objects name something that the cluster does not have, e.g. a service account, a class, a ConfigMap, a claim or a node.',
    remedy: 'Create what the message names; the job continues by itself.',
  },
  QueueClosed: {
    class: 'waiting',
    shownIn: 'why',
    who: 'administrator',
    sentence:
      'The queue or lane does not exist, or does not take this job; or the job is deactivated in its queue.',
    remedy:
      'Name another queue. Or an administrator creates or opens it, or activates the job again; the job continues by itself.',
  },
  LaneFaulty: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'The configuration of lanes, or of the job’s lane, is missing or has a fault.',
    remedy:
      'An administrator has to mend the ConfigMap that SIGNALBOX_LANES names, as the message says; the job continues by itself.',
  },
  GroupMissing: {
    class: 'waiting',
    shownIn: 'why',
    who: 'administrator',
    sentence: 'The group that makes the pods a gang does not exist.',
    remedy:
      'A user or a controller has deleted it. Suspend and resume the job: its group is made anew with its pods.',
  },
  MixedSchedulers: {
    class: 'waiting',
    shownIn: 'why',
    who: 'you',
    sentence: 'Pods of a gang name another scheduler than the one of the gang.',
    remedy:
      'Remove schedulerName from the pod templates, or name the scheduler of the gang in all of them, and submit the job again.',
  },
  SchedulerSilent: {
    class: 'waiting',
    shownIn: 'why',
    who: 'administrator',
    sentence: 'No scheduler has said anything of the pods, e.g. because none of that name runs.',
    remedy: 'Start the scheduler that the message names, or name another in the pod templates.',
  },
  SchedulingGated: {
    class: 'waiting',
    shownIn: 'why',
    who: 'administrator',
    sentence: 'A scheduling gate holds pods back until its owner lifts it.',
    remedy: 'Ask the program that owns the gate that the message names.',
  },
  // Whose turn it is.
  WaitingInLane: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'The job waits for its turn in its lane.',
    remedy: 'See `signalbox queue` for who is ahead and who holds what, and `signalbox why NAME`.',
  },
  WaitingForQueue: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'A queue has not admitted the job yet; its own words say why.',
    remedy: 'Wait; the queue admits the job when it is its turn and there is quota.',
  },
  QuotaExceeded: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'A ResourceQuota of the namespace leaves too little for the job’s objects.',
    remedy: 'Free or raise the quota that the message names; the job continues by itself.',
  },
  // Room.
  WaitingForGang: {
    class: 'waiting',
    shownIn: 'status',
    sentence: 'The gang scheduler has not found room for the whole gang.',
    remedy: 'See `signalbox why NAME`: it says node by node what is short, and who can change it.',
  },
  Unschedulable: {
    class: 'waiting',
    shownIn: 'status',
    sentence: 'At least one pod has no node.',
    remedy:
      'See `signalbox why NAME`: it says node by node what is short, what else the pods lack, and who can change it.',
  },
  NoNodeMatches: {
    class: 'waiting',
    shownIn: 'why',
    who: 'either',
    sentence:
      'Too few nodes match selector, affinity and tolerations of the pods, or are in service, even if they were empty.',
    remedy: 'Change what the pods demand of a node, or label, repair or add nodes.',
  },
  NotEnoughRoom: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'Nodes match, but too little of them is free.',
    remedy: 'Wait until others end; the answer names who holds what. Or request less, or add nodes.',
  },
  RoomByPreemption: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'There is room once pods of a lower priority are gone, which the scheduler removes for these.',
    remedy:
      'Wait: the scheduler removes them as soon as the pods exist. To wait for room instead, name a PriorityClass with preemptionPolicy Never.',
  },
  CapacityBeingFreed: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'There is room once pods are gone that are being deleted, or placed that have room reserved.',
    remedy: 'Wait.',
  },
  WaitingForTurn: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'Gated gangs are placed one at a time; others are ahead, or this one is next.',
    remedy: 'Wait; the answer says who is ahead.',
  },
  PodsTerminating: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'Pods that are being deleted are still there after their grace period.',
    remedy:
      'Repair node NODE, or remove it from the cluster. A named finalizer is removed by the program that added it; if that is gone, remove it by hand (`kubectl edit pod`). If the node is off for good, delete the pod by force (`kubectl delete pod --force`); with `nodes.forceDeleteAfter` in the policy such pods are deleted by force after that time, at the risk that an old pod and its replacement both write.',
  },
  NotComputed: {
    class: 'waiting',
    shownIn: 'why',
    who: 'unknown',
    sentence:
      'Whether pods find a place is not computed here: they also need e.g. devices by claims, or it depends on which nodes the first of them get.',
    remedy: 'Read the words of the scheduler once the pods exist: they say whether the terms are met.',
  },
  VolumePending: {
    class: 'waiting',
    shownIn: 'why',
    who: 'administrator',
    sentence: 'A PersistentVolumeClaim is not bound.',
    remedy:
      'Read the message: it says what the claim waits for, e.g. a StorageClass, a provisioner or a volume.',
  },
  WaitingForNodes: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'The autoscaler adds nodes, or says why it does not.',
    remedy:
      'Wait for the nodes. If it adds none, its words say which limit to raise or what to change in the pods.',
  },
  // Pods that have nodes, and what passes by itself.
  NodeNotReady: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'A node that runs pods of the job, or that they name, is not ready or out of service.',
    remedy:
      'Check the kubelet and the network of node NODE. The job continues when the node is ready. If the node stays silent, a gang restarts elsewhere once Kubernetes deletes the pods there, if that is safe; with `nodes.lostAfter` in the policy the pods are replaced after that time.',
  },
  ContainersRestarting: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'A container fails again and again; its kubelet restarts it after growing pauses.',
    remedy:
      'Limit how often it is restarted by a rung of scope container in restart.ladder, or by backoffLimit where the manifest can have one.',
    look: 'previous',
  },
  ContainersNotReady: {
    class: 'waiting',
    shownIn: 'both',
    who: 'you',
    sentence: 'Pods have nodes, but not all their containers are ready.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap or a readiness probe.',
  },
  CreatingObjects: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'The objects of the job are being created.',
    remedy:
      'Wait; if it lasts, look at the pending activity in the Temporal UI: it shows the API server’s answer.',
  },
  AwaitingWatcher: {
    class: 'waiting',
    shownIn: 'both',
    who: 'administrator',
    sentence: 'No watcher has reported the job’s pods yet, or none decides about lanes.',
    remedy:
      'Wait a moment. If it lasts, `signalbox doctor` says whether a watcher runs (start one with `signalbox watcher`, or `signalbox up`), and which of its streams from the cluster are interrupted; so does `/readyz` of the watcher.',
  },
  CleaningUp: {
    class: 'waiting',
    shownIn: 'both',
    who: 'nobody',
    sentence: 'The outcome is decided; the objects that the clean-up policy names are being deleted.',
    remedy:
      'Wait; if it lasts, read the message: it says what cannot be deleted, and why. `signalbox retry-now NAME` tries again at once.',
  },
  Unknown: {
    class: 'waiting',
    shownIn: 'why',
    who: 'nobody',
    sentence: 'Nothing is found that keeps the job waiting, and it still waits.',
    remedy: 'Read the words of the scheduler: they are all there is.',
  },
  // Failed.
  InvalidManifest: {
    class: 'request',
    shownIn: 'status',
    sentence: 'The manifest has errors; nothing was created.',
    remedy: 'Correct each error that the message lists by its path, and submit again.',
  },
  RepeatedByTemporal: {
    class: 'request',
    shownIn: 'status',
    sentence: 'The job’s workflow has a cron schedule, or was retried by a retry policy of Temporal.',
    remedy:
      'Terminate the workflow, which a cron schedule would repeat. Start jobs by the clock with `signalbox schedule create` or a Schedule of Temporal; restarts belong into the manifest and its policy.',
  },
  ResourceDeleted: {
    class: 'request',
    shownIn: 'status',
    sentence: 'The custom resource was deleted before its job was admitted; nothing was created.',
    remedy: 'Apply the manifest again to run it.',
  },
  ResourceEnded: {
    class: 'request',
    shownIn: 'status',
    sentence: 'The custom resource has had its job, which has ended; it was not run again.',
    remedy: 'Delete the resource and apply it again to run it.',
  },
  ResourceRequired: {
    class: 'request',
    shownIn: 'status',
    sentence: 'This installation runs only jobs that are applied as custom resources; nothing was created.',
    remedy:
      'Apply the manifest to the cluster, e.g. with `kubectl apply -f`. SIGNALBOX_REQUIRE_RESOURCE of the workers decides it (docs/security.md).',
  },
  NameTaken: {
    class: 'request',
    shownIn: 'status',
    sentence:
      'Another running job, or an object that signalbox did not create, has a name that this job needs.',
    remedy: 'Stop the other job, delete the object, or choose another name.',
  },
  ReferenceMissing: {
    class: 'request',
    shownIn: 'status',
    sentence: 'The custom resource names an object that the cluster does not have; nothing was created.',
    remedy: 'Apply the object that the message names; the job starts within a minute.',
  },
  PodFailed: {
    class: 'program',
    shownIn: 'status',
    sentence: 'A pod failed, and its restart policy does not allow a restart.',
    remedy: 'If a restart could succeed, choose restartPolicy OnFailure or ExitCode.',
    look: 'evidence',
  },
  PodEvicted: {
    class: 'infrastructure',
    shownIn: 'status',
    sentence: 'A pod was evicted, and the job cannot continue without it.',
    remedy: 'The message says what its node ran out of. Request what the program needs.',
  },
  PermanentExitCode: {
    class: 'program',
    shownIn: 'status',
    sentence: 'A container ended with an exit code below 128, which restartPolicy ExitCode treats as final.',
    remedy: 'A program that wants a restart exits with 128 or more.',
    look: 'evidence',
  },
  BackoffLimitExceeded: {
    class: 'program',
    shownIn: 'status',
    sentence: 'The job was restarted as often as its limit of restarts allows, and failed again.',
    remedy: 'Raise the limit that the rule names if restarts are expected.',
    look: 'evidence',
  },
  FinalFailure: {
    class: 'program',
    shownIn: 'status',
    sentence: 'A pod failed in a way that the job’s policy treats as final.',
    remedy: 'What is final says the annotation signalbox.dev/policy, in which the rule is.',
    look: 'evidence',
  },
  FailureBudgetExceeded: {
    class: 'program',
    shownIn: 'status',
    sentence: 'Failures of one class exceeded its budget in the job’s policy.',
    remedy: 'A larger budget of the class, in the annotation signalbox.dev/policy, allows more.',
    look: 'evidence',
  },
  RestartsExhausted: {
    class: 'program',
    shownIn: 'status',
    sentence: 'Every rung of the policy’s restart ladder was used up, and the job failed again.',
    remedy: 'More rungs or times in restart.ladder, in the annotation signalbox.dev/policy, allow more.',
    look: 'evidence',
  },
  NodeLost: {
    class: 'infrastructure',
    shownIn: 'status',
    sentence:
      'A node was unhealthy for longer than the policy’s nodes.lostAfter, or is silent while Kubernetes deletes its pods; these count as lost.',
    remedy: 'Repair or remove node NODE; the job’s restart rules decide what follows.',
  },
  NodeSick: {
    class: 'infrastructure',
    shownIn: 'status',
    sentence:
      'A source of health calls a node sick or repairs it, and the policy’s nodes.onSick lets the job go on elsewhere.',
    remedy: 'Repair or remove node NODE; the job’s restart rules decide what follows.',
  },
  NodeLeaving: {
    class: 'infrastructure',
    shownIn: 'status',
    sentence:
      'A source of health says that a node goes away, and the policy’s nodes.onLeaving lets the job go on elsewhere before that.',
    remedy: 'Nothing: the job goes on elsewhere as its restart rules say.',
  },
  NotPlacedInTime: {
    class: 'limit',
    shownIn: 'status',
    sentence: 'The gang has not got its nodes within `gang.placedWithin` of the policy.',
    remedy:
      'See the message for what was short. Free capacity, request less, or raise the limit; `otherwise: requeue` lets the job wait anew instead of failing.',
  },
  StartUpFailed: {
    class: 'infrastructure',
    shownIn: 'status',
    sentence: 'Pods waited longer to start than the policy allows.',
    remedy: 'Read the message of the waiting pod: an image, a volume, a ConfigMap, or no node with room.',
  },
  Stalled: {
    class: 'program',
    shownIn: 'status',
    sentence:
      'The program got no further: no report for longer than `progress.stalledAfter` of the policy, or no step for longer than usual with `progress.onHang`.',
    remedy:
      'Read the last log lines of the pods that still ran: `signalbox evidence NAME`. If they show progress, check the pattern progress.log, and that each report ends its line.',
  },
  DeadlineExceeded: {
    class: 'limit',
    shownIn: 'status',
    sentence: 'The job was active for longer than its activeDeadlineSeconds.',
    remedy: 'Raise the limit, or see what took the time: `signalbox history NAME`.',
  },
  // Stopped.
  StopRequested: {
    class: 'stopped',
    shownIn: 'status',
    sentence: 'A user stopped the job.',
    remedy: 'Submit it again to run it again.',
  },
  Cancelled: {
    class: 'stopped',
    shownIn: 'status',
    sentence: 'The workflow was cancelled.',
    remedy: 'Submit it again to run it again.',
  },
  StoppedByRule: {
    class: 'stopped',
    shownIn: 'status',
    sentence: 'A rule of the manifest ended the job, e.g. TerminateJob.',
    remedy: 'See the evidence of the pod in the message; submit the job again to run it again.',
  },
  AnchorDeleted: {
    class: 'stopped',
    shownIn: 'status',
    sentence:
      'Somebody deleted the job’s anchor, the ConfigMap JOB.signalbox that owns all its objects: Kubernetes deleted its pods and Services with it, and the job is over.',
    remedy:
      'Run it again: `signalbox rerun NAME`. First see who deletes it: `kubectl delete configmap --all` does, a tool that prunes what is not in its repository, and who deletes the namespace (create that again first). To end a job use `signalbox stop NAME`.',
  },
  WorkflowTerminated: {
    class: 'stopped',
    shownIn: 'status',
    sentence: 'The workflow ended without clean-up; the watcher had its objects deleted.',
    remedy:
      'To end a job in order, use `signalbox stop NAME`, or cancel the workflow instead of terminating it.',
  },
  EngineFault: {
    class: 'engine',
    shownIn: 'status',
    sentence: 'signalbox itself failed.',
    remedy: 'Please report it with the workflow’s history.',
  },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

/**
 * What a reason means.
 *
 * @public
 */
export interface ReasonEntry {
  readonly class: 'waiting' | 'request' | 'program' | 'infrastructure' | 'limit' | 'stopped' | 'engine';
  /** In the status of a job, as a reason of `why`, or in both. */
  readonly shownIn: 'status' | 'why' | 'both';
  /** Who can end the wait, as `why` says. */
  readonly who?: Who;
  readonly sentence: string;
  /** NAME, POD, CONTAINER and NODE stand for what a cause names. */
  readonly remedy: string;
  /** How a container ended says what helps; its last lines are in the evidence, or are those of the run before. */
  readonly look?: 'evidence' | 'previous';
}

/**
 * Who can end a wait. `either`: you or an administrator. `nobody`: it passes by itself, if at all. `unknown`: what keeps the job
 * waiting is not computed.
 *
 * @public
 */
export type Who = 'you' | 'administrator' | 'either' | 'nobody' | 'unknown';

/**
 * The code of a reason in the status of a job, e.g. `Unschedulable`.
 *
 * @public
 */
export type ReasonCode = {
  [Code in keyof typeof REASONS]: (typeof REASONS)[Code]['shownIn'] extends 'why' ? never : Code;
}[keyof typeof REASONS];

/**
 * The code of a reason in `why`, which says in detail what schedulers say in general, e.g. `NotEnoughRoom`.
 *
 * @public
 */
export type WaitCode = {
  [Code in keyof typeof REASONS]: (typeof REASONS)[Code]['shownIn'] extends 'status' ? never : Code;
}[keyof typeof REASONS];

/** Returns the class of a reason; undefined for one of a later version. */
export const classOfReason = (reason: string | undefined): ReasonEntry['class'] | undefined =>
  isReasonCode(reason) ? REASONS[reason].class : undefined;

export const isReasonCode = (reason: unknown): reason is ReasonCode =>
  isKnown(reason) && REASONS[reason].shownIn !== 'why';

export const isWaitCode = (reason: unknown): reason is WaitCode =>
  isKnown(reason) && REASONS[reason].shownIn !== 'status';

const isKnown = (reason: unknown): reason is keyof typeof REASONS =>
  typeof reason === 'string' && Object.hasOwn(REASONS, reason);

/** The codes of statuses. */
export const REASON_CODES: readonly ReasonCode[] = keysOf(REASONS).filter(isReasonCode);
