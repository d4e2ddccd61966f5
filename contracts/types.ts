// Generated from the schemas of contracts/schemas/, and that of policies, by `npm run docs`.
import type { Condition } from './kubernetes.ts';
import type { NodeClassName } from './node-classes.ts';
import type { ReasonCode, WaitCode, Who } from './reasons.ts';

/**
 * What a person reads first about a job.
 *
 * @public
 */
export type Phase = 'Pending' | 'Starting' | 'Running' | 'Restarting' | 'Suspended' | 'Completed' | 'Failed' | 'Stopped';

/**
 * Why a job is in its state, and which rule decided it.
 *
 * @public
 */
export interface Cause {
  /** The code; docs/states.md says what to do. */
  readonly reason: ReasonCode;
  /** What happened, in a sentence. */
  readonly message: string;
  /** The rule that decided, e.g. `spec.runPolicy.backoffLimit: 3`. */
  readonly rule?: string;
  /** The pod that it is about. */
  readonly pod?: string;
  /** The node of that pod. */
  readonly node?: string;
  /** The container that it is about. */
  readonly container?: string;
  /** Exit code of that container. */
  readonly exitCode?: number;
  /** The signal that ended that container. */
  readonly signal?: number;
  /** Reason that Kubernetes gives for how the container ended, or why the pod waits, e.g. OOMKilled. */
  readonly podReason?: string;
  /** Limit of memory of a container that was killed, as a quantity. */
  readonly memoryLimit?: string;
  /** What the logs say of it, once evidence is taken. */
  readonly error?: FailureError;
  /** What helps, with names and commands filled in. */
  readonly remedy?: string;
  /** Who requested a stop or a suspension; not verified. */
  readonly by?: string;
  /** Why they requested it. */
  readonly why?: string;
  /** What else the job waits for, the most important first; at most four. */
  readonly also?: readonly OtherCause[];
}

/**
 * What the logs of an attempt say of why it failed.
 *
 * @public
 */
export interface FailureError {
  /** The line of a log that says best why the job failed, without what looks like a secret. */
  readonly line: string;
  /** The pod whose log it is. */
  readonly pod: string;
  /** Its node. */
  readonly node?: string;
  /** How many pods say the same, of at most 20 that are compared. */
  readonly pods: number;
  /** What kind of failure it tells of, e.g. GpuOutOfMemory; docs/evidence.md. */
  readonly signature?: string;
  /** Where the cause lies; cascade: another pod ended first. */
  readonly class?: 'code' | 'data' | 'memory' | 'network' | 'GPU' | 'host' | 'storage' | 'unknown' | 'cascade';
  /** What the line means, in a sentence. */
  readonly means?: string;
}

/**
 * What a job waits for besides its cause.
 *
 * @public
 */
export interface OtherCause {
  /** The code; docs/states.md says what to do. */
  readonly reason: ReasonCode;
  /** What happens, in a sentence. */
  readonly message: string;
  /** The pod that it is about. */
  readonly pod?: string;
  /** The node that it is about. */
  readonly node?: string;
}

/**
 * Number of pods of a role by state. Kinds differ in what they count.
 *
 * @public
 */
export interface ReplicaStatus {
  /** Pods that have started and have not ended. */
  readonly active?: number;
  /** Pods that succeeded. */
  readonly succeeded?: number;
  /** Pods that failed. */
  readonly failed?: number;
  /** Pods without a node. */
  readonly pending?: number;
  /** Pods on a node that are not ready. */
  readonly starting?: number;
  /** Pods that are ready. */
  readonly running?: number;
  /** Label selector of the pods of the role. */
  readonly selector?: string;
}

/**
 * Summary of a failed pod, taken before the pod is deleted.
 *
 * @public
 */
export interface EvidenceSummary {
  /** Name of the pod. */
  readonly pod: string;
  /** uid of the pod. */
  readonly uid: string;
  /** Role of the pod, in lower case. */
  readonly role: string;
  /** Index of the pod in its role, from 0. */
  readonly index: number;
  /** Attempt of the pod, from 1. */
  readonly attempt: number;
  /** Node of the pod. */
  readonly node?: string;
  /** The container that failed. */
  readonly container?: string;
  /** Its exit code. */
  readonly exitCode?: number;
  /** The signal that ended it. */
  readonly signal?: number;
  /** As Kubernetes reports it, e.g. Error or OOMKilled. */
  readonly reason?: string;
  /** Termination message, or what Kubernetes says. */
  readonly message?: string;
  /** How often the container had ended in this pod, this end included. */
  readonly ends?: number;
  /** When it failed, RFC 3339; absent if Kubernetes does not say. */
  readonly failedAt?: string;
  /** When the evidence was taken, RFC 3339. */
  readonly takenAt: string;
  /** URL of the record: `file:///...` or `s3://bucket/key`. */
  readonly ref?: string;
  /** The line of its log that says best why, without what looks like a secret. */
  readonly errorLine?: string;
  /** What kind of failure that line tells of; docs/evidence.md. */
  readonly signature?: string;
  /** The last step that its log shows. */
  readonly step?: number;
  /** Indices of the rules of the policy whose pattern matches. */
  readonly matches?: readonly number[];
  /** What could not be captured, and why. */
  readonly incomplete?: string;
}

/**
 * Pods that hold places for pods of a job.
 *
 * @public
 */
export interface SparesStatus {
  /** How many the policy asks for. */
  readonly wanted: number;
  /** How many have a node, and the image there. */
  readonly placed: number;
  /** Why not all, if it is known. */
  readonly why?: string;
}

/**
 * What failures that are alike point to. Nothing acts on it.
 *
 * @public
 */
export interface FailureAdvice {
  /** What the last failures have in common, and what follows. */
  readonly sentence: string;
  /** What they point to; surroundings: what the nodes share, as network and storage. */
  readonly blames: 'program' | 'data' | 'node' | 'surroundings';
  /** How many failures in a row it rests on. */
  readonly failures: number;
  /** The nodes that they were on. */
  readonly nodes: readonly string[];
}

/**
 * One transition of a job.
 *
 * @public
 */
export interface TimelineEntry {
  /** When the job entered the state, RFC 3339. */
  readonly at: string;
  /** The phase. */
  readonly phase: Phase;
  /** State of the machine, e.g. Pending.Scheduling; docs/states.md. */
  readonly state: string;
  /** The attempt, from 1. */
  readonly attempt: number;
  /** Why, in a sentence. */
  readonly cause: string;
}

/**
 * Answer to the query `status`, and what the anchor records.
 *
 * @public
 */
export interface JobStatus {
  /** Kind of the job. */
  readonly kind: string;
  /** Name of the job. */
  readonly name: string;
  /** Kubernetes namespace of the job. */
  readonly namespace: string;
  /** What a person reads first. */
  readonly phase: Phase;
  /** State of the machine, e.g. Pending.Scheduling; docs/states.md. */
  readonly state: string;
  /** Since when it is in this state, RFC 3339. */
  readonly since?: string;
  /** The attempt, from 1. */
  readonly attempt: number;
  /** Restarts so far: of containers in place, and of pods by replacement. */
  readonly restarts: number;
  /** Why the job is in its state. */
  readonly cause?: Cause;
  /** Conditions as the operator of the kind shows them. */
  readonly conditions: readonly Condition[];
  /** Number of pods by state, by role. */
  readonly replicaStatuses: Readonly<Record<string, ReplicaStatus>>;
  /** Pods that the clean-up ended, by role; replicaStatuses count them as succeeded. */
  readonly terminated?: Readonly<Record<string, number>>;
  /** When the watcher counted the pods, RFC 3339: the counts may be seconds old. */
  readonly countedAt?: string;
  /** The counts that the kind has, if they are not active, succeeded and failed. */
  readonly replicaCounts?: readonly ('active' | 'succeeded' | 'failed' | 'pending' | 'starting' | 'running')[];
  /** Only for kinds whose original operator shows one, e.g. Collective. */
  readonly mode?: string;
  /** When the job first started, or was last resumed, RFC 3339. */
  readonly startTime?: string;
  /** When the job ended, RFC 3339. */
  readonly completionTime?: string;
  /** Accepted settings that may not be what the user meant. */
  readonly warnings: readonly string[];
  /** The last progress that the program reported. */
  readonly progress?: string;
  /** Failed pods, the latest first. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Mail address of who owns the job, as its policy says; not verified. */
  readonly owner?: string;
  /** Pods that hold places, if the policy asks for some. */
  readonly spares?: SparesStatus;
  /** How many replicas each role should have. */
  readonly wanted?: Readonly<Record<string, number>>;
  /** How many restarts the job may have (runPolicy.backoffLimit); absent if that is not limited. */
  readonly restartsAllowed?: number;
  /** Restarts charged to the failure classes that have a budget, by class. */
  readonly budgets?: Readonly<Record<string, {
    /** Restarts so far. */
    readonly used: number;
    /** Restarts that the policy allows. */
    readonly allowed: number;
  }>>;
  /** Nodes that new pods avoid, and until when (RFC 3339). */
  readonly avoided?: Readonly<Record<string, string>>;
  /** What the last failures have in common, if they were alike. */
  readonly advice?: FailureAdvice;
  /** The latest transitions, the earliest of them first. */
  readonly timeline: readonly TimelineEntry[];
}

/**
 * Who asked. Only `authenticated` was checked by a server.
 *
 * @public
 */
export interface LedgerWho {
  /** The name that the caller gave, e.g. by --by. Not checked. */
  readonly given?: string;
  /** Where that name comes from, if not from the request itself. */
  readonly source?: string;
  /** How the Temporal client of the caller calls itself. Not checked. */
  readonly identity?: string;
  /** The caller as the authorizer of the Temporal server knew it. */
  readonly authenticated?: {
    /** How the caller was authenticated, e.g. jwt. */
    readonly type: string;
    /** The name of the caller, e.g. the subject of its token. */
    readonly name: string;
  };
}

/**
 * Why an entry was written.
 *
 * @public
 */
export type LedgerCause = {
  /** The first entry: the submission. */
  readonly type: 'submitted';
  /** Who submitted it. */
  readonly who: LedgerWho;
  /** Why, in the caller’s words. */
  readonly why?: string;
  /** The job that this one is a rerun of. */
  readonly parent?: string;
} | {
  /** The watcher saw something new. */
  readonly type: 'digest';
} | {
  /** A deadline passed. */
  readonly type: 'timer';
  /** Name of the deadline, e.g. activeDeadline. */
  readonly timer: string;
} | {
  /** A client asked for something. */
  readonly type: 'request';
  /** Name of the update or signal; cancel for a cancelled workflow. */
  readonly request: string;
  /** How it reached the job. */
  readonly through: 'update' | 'signal' | 'cancellation';
  /** Id of the update. */
  readonly id?: string;
  /** Who asked. */
  readonly who: LedgerWho;
  /** Why, in the caller’s words. */
  readonly why?: string;
  /** What was asked, beside who and why. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** Why the job refused it; absent if it did not. */
  readonly refused?: string;
  /** The revision that it made. It may take effect later, see `revision` of the entries. */
  readonly madeRevision?: number;
} | {
  /** An effect ended, or is refused by the API server for now. */
  readonly type: 'effect';
  /** Name of the effect, e.g. createAttempt. */
  readonly effect: string;
  /** How; a refused effect is tried again. */
  readonly ended: 'done' | 'failed' | 'refused';
  /** Number of the entry in which it began. */
  readonly began?: number;
  /** How long it took, in milliseconds. */
  readonly ms?: number;
} | {
  /** Temporal closed the workflow without the code of the job. */
  readonly type: 'closed';
  /** How. */
  readonly how: 'terminated' | 'timed out';
  /** Who terminated it. */
  readonly who: LedgerWho;
  /** Why, in the caller’s words. */
  readonly why?: string;
};

/**
 * An effect that begins.
 *
 * @public
 */
export interface LedgerEffect {
  /** Name of the effect, e.g. createAttempt. */
  readonly effect: string;
  /** What it is about, e.g. the pods to replace. */
  readonly what?: Readonly<Record<string, unknown>>;
}

/**
 * Pods of a role by state. Absent numbers are 0.
 *
 * @public
 */
export interface LedgerCounts {
  /** Pods that the role should have. */
  readonly wanted: number;
  /** Pods without a node. */
  readonly unscheduled?: number;
  /** Pods on a node that are not ready. */
  readonly scheduled?: number;
  /** Pods that are ready. */
  readonly ready?: number;
  /** Replicas that have succeeded. */
  readonly succeeded?: number;
  /** Pods that failed. */
  readonly failed?: number;
  /** Pods that are being deleted and have not ended: they may still hold GPUs. */
  readonly terminating?: number;
  /** For how long pods of the role had a node so far, summed over its pods, in milliseconds; absent before the first one had one. */
  readonly placedMs?: number;
  /** The same of spares that hold places for its pods. */
  readonly spareMs?: number;
}

/**
 * How far an attempt came.
 *
 * @public
 */
export interface LedgerSteps {
  /** The pod whose log tells it. */
  readonly pod: string;
  /** Its attempt. */
  readonly attempt: number;
  /** The first step that the log has. */
  readonly first: LedgerStep;
  /** The last one. */
  readonly last: LedgerStep;
  /** The last checkpoint that the log says is complete; absent if it tells of none. */
  readonly saved?: LedgerCheckpoint;
  /** The checkpoint that the attempt went on from, if the log tells it. */
  readonly resumed?: LedgerCheckpoint;
}

/**
 * A step, and when it was.
 *
 * @public
 */
export interface LedgerStep {
  /** The step, of the whole run. */
  readonly step: number;
  /** When the log told it, RFC 3339, by the clock of the node. */
  readonly at: string;
}

/**
 * A checkpoint, and when it was told.
 *
 * @public
 */
export interface LedgerCheckpoint {
  /** Its step; absent if that is not known. */
  readonly step?: number;
  /** When the log told it, RFC 3339, by the clock of the node. */
  readonly at: string;
}

/**
 * A failed, vanished or crashing pod.
 *
 * @public
 */
export interface LedgerPod {
  /** Name of the pod. */
  readonly pod: string;
  /** uid of the pod. */
  readonly uid?: string;
  /** Role of the pod, in lower case. */
  readonly role?: string;
  /** Node of the pod. */
  readonly node?: string;
  /** The container that failed. */
  readonly container?: string;
  /** Exit code of that container. */
  readonly exitCode?: number;
  /** The signal that ended it. */
  readonly signal?: number;
  /** As Kubernetes reports it, e.g. OOMKilled. */
  readonly reason?: string;
  /** The line of its log that says best why, without what looks like a secret. */
  readonly errorLine?: string;
  /** What kind of failure that line tells of; docs/evidence.md. */
  readonly signature?: string;
}

/**
 * One entry of the ledger of a job; docs/history.md.
 *
 * @public
 */
export interface LedgerEntry {
  /** From 1, without gaps, over all runs of the workflow. */
  readonly seq: number;
  /** RFC 3339, in milliseconds, UTC. */
  readonly at: string;
  /** Attempt, from 1. */
  readonly attempt: number;
  /** State before, e.g. Pending.Scheduling; absent in the first entry. */
  readonly from?: string;
  /** State after; the same as `from` if it did not change. */
  readonly to: string;
  /** Phase after. */
  readonly phase: Phase;
  /** Why the entry was written. */
  readonly cause: LedgerCause;
  /** What happened, in a sentence. */
  readonly message: string;
  /** Only details, e.g. that an effect ended: the timeline leaves it out. */
  readonly minor?: true;
  /** What the job waits for, or why it ended; docs/states.md. */
  readonly reason?: ReasonCode;
  /** Why the job ends: in the entry that decides it, and in a later one that knows more. */
  readonly decided?: Cause;
  /** The rule that decided, e.g. `spec.runPolicy.backoffLimit: 3`. */
  readonly rule?: string;
  /** Revision of the job in effect, from 1. */
  readonly revision: number;
  /** Effects that begin with this entry. */
  readonly effects?: readonly LedgerEffect[];
  /** Pods by role and state, as last counted. */
  readonly counts?: Readonly<Record<string, LedgerCounts>>;
  /** Extended resources that a pod requests, by role, e.g. `{"Worker": {"nvidia.com/gpu": 8}}`: in the entry of the admission, and where another revision takes effect. */
  readonly devices?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of the pods that this effect has ended, or has found at the end: how many have had which GPUs, by role in lower case and the label nvidia.com/gpu.product of their nodes. */
  readonly products?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How far the attempt came whose pods this effect has ended, as its log tells without configuration. */
  readonly steps?: LedgerSteps;
  /** Restarts so far. */
  readonly restarts?: number;
  /** Failure classes of the failures for which a restart begins, e.g. infrastructure. */
  readonly classes?: readonly string[];
  /** Budgets of failure classes. */
  readonly budgets?: Readonly<Record<string, {
    /** Restarts charged to the class. */
    readonly used: number;
    /** Restarts that the policy allows it. */
    readonly allowed: number;
  }>>;
  /** The last progress of the attempt. */
  readonly progress?: {
    /** The progress as the program reported it. */
    readonly value: string;
    /** When the job learned of it, RFC 3339, in milliseconds, UTC. */
    readonly at: string;
  };
  /** Pods that the entry is about. */
  readonly pods?: readonly LedgerPod[];
  /** Nodes that it is about, or that new pods avoid from now on. */
  readonly nodes?: readonly string[];
  /** URLs of the evidence records that were written. */
  readonly evidence?: readonly string[];
  /** Only in archives: SHA-256 of the line before, in hex. */
  readonly prev?: string;
}

/**
 * A condition of the pod or its node.
 *
 * @public
 */
export interface ConditionEvidence {
  /** Type of the condition, e.g. Ready. */
  readonly type: string;
  /** True, False or Unknown. */
  readonly status: string;
  /** Reason of the last change. */
  readonly reason?: string;
  /** Details of the last change. */
  readonly message?: string;
  /** When the status last changed, RFC 3339. */
  readonly lastTransitionTime?: string | null;
  /** When the condition was last confirmed, RFC 3339. */
  readonly lastHeartbeatTime?: string | null;
}

/**
 * A container of the failed pod.
 *
 * @public
 */
export interface ContainerEvidence {
  /** Name of the container. */
  readonly name: string;
  /** Its image. */
  readonly image?: string;
  /** Whether it is an init container. */
  readonly isInit?: boolean;
  /** Its restarts in place. */
  readonly restarts: number;
  /** Its state when the record was taken. */
  readonly state?: ContainerStateEvidence;
  /** State of the run before the last restart in place. */
  readonly lastState?: ContainerStateEvidence;
  /** The end of its log. */
  readonly log?: LogExcerpt;
  /** The end of the log before the last restart in place. */
  readonly previousLog?: LogExcerpt;
}

/**
 * The state of a container; one of the fields is set.
 *
 * @public
 */
export interface ContainerStateEvidence {
  /** Set if the container has not started. */
  readonly waiting?: {
    /** E.g. ImagePullBackOff. */
    readonly reason?: string;
    /** The words of the kubelet. */
    readonly message?: string;
  };
  /** Set if the container runs. */
  readonly running?: {
    /** Since when, RFC 3339. */
    readonly startedAt?: string | null;
  };
  /** Set if the container has ended. */
  readonly terminated?: {
    /** Exit code of the container. */
    readonly exitCode: number;
    /** The signal that ended it. */
    readonly signal?: number;
    /** As Kubernetes reports it, e.g. Error or OOMKilled. */
    readonly reason?: string;
    /** Its termination message. */
    readonly message?: string;
    /** When it started, RFC 3339. */
    readonly startedAt?: string | null;
    /** When it ended, RFC 3339. */
    readonly finishedAt?: string | null;
  };
}

/**
 * The last lines that a container logged.
 *
 * @public
 */
export interface LogExcerpt {
  /** The last lines. */
  readonly lines: readonly string[];
  /** Whether earlier lines were left out, or the first line is incomplete. */
  readonly isCut: boolean;
}

/**
 * What the log of the pod told of its steps then.
 *
 * @public
 */
export interface EvidenceSteps {
  /** What is known of them; of steps that cannot be read, what would show them. */
  readonly sentence: string;
  /** Which form its lines or its bar have; absent if no steps can be read. */
  readonly form?: string;
  /** The last step, of the whole run. */
  readonly step?: number;
  /** Of how many. */
  readonly total?: number;
  /** The epoch, where the program tells it. */
  readonly epoch?: number;
  /** When the log told the last one, RFC 3339. */
  readonly at?: string;
  /** How long a step usually takes. */
  readonly secondsPerStep?: number;
  /** There was no step for longer than usual. */
  readonly isLate?: true;
}

/**
 * The node of the failed pod.
 *
 * @public
 */
export interface NodeEvidence {
  /** Name of the node. */
  readonly name: string;
  /** Its conditions. */
  readonly conditions: readonly ConditionEvidence[];
  /** Its taints. */
  readonly taints: readonly {
    /** Key of the taint. */
    readonly key: string;
    /** Value of the taint. */
    readonly value?: string;
    /** E.g. NoSchedule or NoExecute. */
    readonly effect?: string;
  }[];
  /** Whether it is cordoned. */
  readonly unschedulable: boolean;
}

/**
 * A Kubernetes event about the failed pod.
 *
 * @public
 */
export interface EventEvidence {
  /** Normal or Warning. */
  readonly type?: string;
  /** Reason of the event. */
  readonly reason?: string;
  /** What happened. */
  readonly message?: string;
  /** How often. */
  readonly count?: number;
  /** When first, RFC 3339. */
  readonly firstAt?: string;
  /** When last, RFC 3339. */
  readonly lastAt?: string;
  /** Who reported it. */
  readonly source?: string;
}

/**
 * The stored record of a failed pod; docs/evidence.md.
 *
 * @public
 */
export interface EvidenceRecord {
  /** Version of the format. */
  readonly version: 1;
  /** The job of the pod. */
  readonly job: {
    /** Kind of the job. */
    readonly kind: string;
    /** Namespace of the job. */
    readonly namespace: string;
    /** Name of the job. */
    readonly name: string;
  };
  /** uid of the anchor: identifies the run of the job. */
  readonly anchorUid: string;
  /** The summary that is also in the history of the workflow. */
  readonly summary: EvidenceSummary;
  /** When the pod failed, RFC 3339; the time of the record for a pod that only stalled. */
  readonly failedAt: string;
  /** The status of the pod. */
  readonly pod: {
    /** Phase of the pod. */
    readonly phase?: string;
    /** Why it is in this phase. */
    readonly reason?: string;
    /** Details of the reason. */
    readonly message?: string;
    /** When the kubelet accepted it, RFC 3339. */
    readonly startTime?: string | null;
    /** Set if it is being deleted, RFC 3339. */
    readonly deletionTimestamp?: string;
    /** Its conditions. */
    readonly conditions: readonly ConditionEvidence[];
  };
  /** The containers of the pod. */
  readonly containers: readonly ContainerEvidence[];
  /** What its log told of its steps; absent if it showed none. */
  readonly steps?: EvidenceSteps;
  /** The node of the pod. */
  readonly node?: NodeEvidence;
  /** Kubernetes events about the pod. */
  readonly events: readonly EventEvidence[];
  /** Each part that could not be captured, and why. */
  readonly incomplete?: readonly string[];
}

/**
 * A pod just before its deletion, or at the end of the job.
 *
 * @public
 */
export interface RecordedPod {
  /** Name of the pod. */
  readonly pod: string;
  /** uid of the pod. */
  readonly uid: string;
  /** Role of the pod, in lower case. */
  readonly role: string;
  /** Index of the pod in its role, from 0. */
  readonly index: number;
  /** Attempt of the pod, from 1. */
  readonly attempt: number;
  /** Node of the pod. */
  readonly node?: string;
  /** GPUs that the pod requests, by resource, e.g. nvidia.com/gpu; absent if it requests none. */
  readonly gpus?: Readonly<Record<string, number>>;
  /** What the GPUs of its node are, by the label nvidia.com/gpu.product of the node. */
  readonly gpuProduct?: string;
  /** Phase of the pod. */
  readonly phase: string;
  /** Why the whole pod is in this phase, e.g. Evicted. */
  readonly reason?: string;
  /** When it was created, RFC 3339. */
  readonly createdAt: string;
  /** When it got a node, RFC 3339. */
  readonly scheduledAt?: string;
  /** When the kubelet accepted it, RFC 3339. */
  readonly startedAt?: string;
  /** Since when it was ready; absent if it no longer was, RFC 3339. */
  readonly readyAt?: string;
  /** When its last container ended; absent if one still ran, RFC 3339. */
  readonly endedAt?: string;
  /** When its deletion was requested; absent if it was kept, RFC 3339. */
  readonly deletedAt?: string;
  /** Its containers, init containers first. */
  readonly containers: readonly RecordedContainer[];
}

/**
 * A container of a pod, and what it ran.
 *
 * @public
 */
export interface RecordedContainer {
  /** Name of the container. */
  readonly name: string;
  /** Whether it is an init container. */
  readonly isInit?: boolean;
  /** Whether it was added to the running pod, e.g. by kubectl debug. */
  readonly isEphemeral?: boolean;
  /** Its image, as in the spec of the pod. */
  readonly image: string;
  /** What the kubelet ran, e.g. `registry.example/train@sha256:...`; absent if it never started. */
  readonly imageID?: string;
  /** Its restarts in place. */
  readonly restarts: number;
  /** When it started, RFC 3339. */
  readonly startedAt?: string;
  /** When it ended, RFC 3339. */
  readonly endedAt?: string;
  /** Its exit code. */
  readonly exitCode?: number;
  /** As Kubernetes reports it, e.g. OOMKilled, or why it waits. */
  readonly reason?: string;
}

/**
 * What ran in an attempt of a job; docs/evidence.md.
 *
 * @public
 */
export interface PodsRecord {
  /** Version of the format. */
  readonly schema: 'signalbox.dev/pods/v1';
  /** The job of the pods. */
  readonly job: {
    /** Kind of the job. */
    readonly kind: string;
    /** Namespace of the job. */
    readonly namespace: string;
    /** Name of the job. */
    readonly name: string;
  };
  /** uid of the anchor: identifies the run of the job. */
  readonly anchorUid: string;
  /** Attempt of the pods, from 1. */
  readonly attempt: number;
  /** When the pods were read, RFC 3339. */
  readonly takenAt: string;
  /** The pods. */
  readonly pods: readonly RecordedPod[];
}

/**
 * What the engine says of a job.
 *
 * @public
 */
export interface Explanation {
  /** The phase of the job. */
  readonly phase: Phase;
  /** Absent if there is nothing to explain. */
  readonly reason?: ReasonCode;
  /** What the job waits for, or why it ended. */
  readonly sentence: string;
  /** E.g. the words of the scheduler. */
  readonly details?: string;
  /** Since when it is in this state, RFC 3339. */
  readonly since?: string;
  /** What the user can do. */
  readonly remedy?: string;
  /** The pod that it is about. */
  readonly pod?: string;
  /** The node of that pod. */
  readonly node?: string;
  /** The container that it is about. */
  readonly container?: string;
  /** The rule that decided. */
  readonly rule?: string;
  /** Where it was read, if no worker answered. */
  readonly recordedIn?: 'anchor' | 'temporal';
}

/**
 * A running job whose main pod has written no line for longer than usual.
 *
 * @public
 */
export interface JobSilence {
  /** The main pod. */
  readonly pod: string;
  /** When it wrote its last line, or started if it wrote none, RFC 3339. */
  readonly since: string;
  /** For how long it has written none. */
  readonly seconds: number;
  /** That line, without what looks like a secret; absent if it has written none. */
  readonly line?: string;
  /** What makes a limit of it, or the limit that the policy has. */
  readonly remedy: string;
}

/**
 * What the log of a running job tells of its steps, without configuration.
 *
 * @public
 */
export interface JobSteps {
  /** The pod whose log tells them. */
  readonly pod: string;
  /** What is known of them; of steps that cannot be read, what would show them. */
  readonly sentence: string;
  /** Which form its lines or its bar have; absent if no steps can be read. */
  readonly form?: string;
  /** The last step, of the whole run. */
  readonly step?: number;
  /** Of how many. */
  readonly total?: number;
  /** The epoch, where the program tells it. */
  readonly epoch?: number;
  /** When the log told the last one, RFC 3339. */
  readonly at?: string;
  /** How long a step usually takes. */
  readonly secondsPerStep?: number;
  /** There was no step for longer than usual. */
  readonly isLate?: true;
}

/**
 * What a job has waited for.
 *
 * @public
 */
export interface Waited {
  /** What it waited for. */
  readonly reason: ReasonCode;
  /** How long. */
  readonly seconds: number;
  /** How often it began to wait for that. */
  readonly times: number;
  /** What was known last. */
  readonly message: string;
  /** When the first of these waits began, RFC 3339. */
  readonly from: string;
}

/**
 * A reason why a job waits.
 *
 * @public
 */
export interface WaitReason {
  /** The code; docs/states.md says what it means, and what to do. */
  readonly code: WaitCode;
  /** Why it waits, in a sentence. */
  readonly sentence: string;
  /** Who can change it; either: you or an administrator; nobody: it passes by itself, if at all; unknown: it is not computed. */
  readonly who: Who;
  /** Since when, RFC 3339. */
  readonly since?: string;
  /** The resource that is missing. */
  readonly resource?: string;
  /** How much of it is needed, as a quantity of Kubernetes. */
  readonly needs?: string;
  /** How much of it there is, as a quantity of Kubernetes. */
  readonly has?: string;
  /** Who holds what is missing, the largest first. */
  readonly heldBy?: readonly {
    /** A job, an object or a namespace. */
    readonly who: string;
    /** How much, or how many pods. */
    readonly amount: string;
  }[];
  /** The words of the scheduler, the API server or a queue. */
  readonly said?: string;
  /** Of a reason that is a turn: where the job is in the order. */
  readonly place?: QueuePlace;
  /** What to do about it; its commands can be typed as they stand. */
  readonly remedy?: string;
}

/**
 * Where a job is in the order of a queue.
 *
 * @public
 */
export interface QueuePlace {
  /** A lane, the gated gangs of the cluster, or a LocalQueue of Kueue. */
  readonly queue: 'lane' | 'gatedGangs' | 'LocalQueue';
  /** Name of the lane or the LocalQueue. */
  readonly name?: string;
  /** From 1; absent for a job that could not start however much were free. */
  readonly position?: number;
  /** How many jobs have a position. */
  readonly of: number;
  /** The position among those of all queues of its ClusterQueue, if that is known. */
  readonly inClusterQueue?: number;
  /** Those that come first, the first first; at most 5. */
  readonly ahead: readonly {
    /** The job, or an object of a queue. */
    readonly who: string;
    /** What all of its pods need together, by resource, if that is known. */
    readonly needs?: Readonly<Record<string, string>>;
  }[];
  /** When it can start, if the ends of those that run are known; RFC 3339. */
  readonly earliestStart?: string;
}

/**
 * Where pods of one shape find room.
 *
 * @public
 */
export interface ShapePlacement {
  /** Roles of the pods. */
  readonly roles: readonly string[];
  /** Pods without a node. */
  readonly pods: number;
  /** What one pod requests, by resource. */
  readonly requests: Readonly<Record<string, string>>;
  /** How many of the pods find room now, if only these are placed; an upper bound, unless it is exact. */
  readonly room?: number;
  /** Whether `room` is exact. */
  readonly isExact: boolean;
  /** Number of nodes: the sum over the classes. */
  readonly nodes: number;
  /** Each node is in one class. */
  readonly classes: readonly NodeClass[];
  /** What keeps the pods from nodes, whatever else does; what excludes most first, at most 8. */
  readonly excludedBy: readonly ExcludingTerm[];
  /** Nodes that match and are too full, the emptiest first; at most 20. */
  readonly short: readonly ShortNode[];
}

/**
 * Nodes that are the same for the pods.
 *
 * @public
 */
export interface NodeClass {
  /** What the nodes are for the pods; docs/why.md has all classes. */
  readonly class: NodeClassName;
  /** The term that excludes the nodes, the taint, or the resource. */
  readonly detail?: string;
  /** Number of nodes. */
  readonly nodes: number;
  /** Some of them, at most 3. */
  readonly examples: readonly string[];
}

/**
 * What keeps pods from nodes.
 *
 * @public
 */
export interface ExcludingTerm {
  /** What the pods demand of a node, or a taint that they do not tolerate. */
  readonly term: string;
  /** How many nodes it alone excludes. */
  readonly nodes: number;
  /** What nodes have, or pods tolerate, that comes nearest to it. */
  readonly hint?: string;
}

/**
 * A node that matches and is too full.
 *
 * @public
 */
export interface ShortNode {
  /** Name of the node. */
  readonly node: string;
  /** How many of the pods it has room for. */
  readonly room: number;
  /** The resource that lacks most. */
  readonly resource: string;
  /** How much of it a pod needs. */
  readonly needs: string;
  /** How much of it is free. */
  readonly free: string;
  /** How much of it the node has for pods. */
  readonly total: string;
}

/**
 * Why a job waits; docs/why.md.
 *
 * @public
 */
export interface WhyAnswer {
  /** Kind of the job. */
  readonly kind: string;
  /** Its namespace. */
  readonly namespace: string;
  /** Its name. */
  readonly name: string;
  /** When it was computed, RFC 3339. */
  readonly asOf: string;
  /** Of a job that is not submitted: valid input that may not be what the user meant. */
  readonly warnings?: readonly string[];
  /** Absent before the job is submitted, as what follows. */
  readonly workflowId?: string;
  /** Its phase. */
  readonly phase?: Phase;
  /** What the engine says of it. */
  readonly explanation?: Explanation;
  /** Pods that hold places, if its policy asks for some. */
  readonly spares?: {
    /** How many the policy asks for. */
    readonly wanted: number;
    /** How many have a node, and the image there. */
    readonly placed: number;
    /** Why not all, if it is known. */
    readonly why?: string;
    /** The words of the scheduler about one without a node. */
    readonly said?: string;
  };
  /** Of a job that has failed: the line of its logs that says best what went wrong. */
  readonly errorLine?: string;
  /** What its last failures have in common, if they were alike. */
  readonly advice?: string;
  /** Its main pod has written no line for longer than usual. */
  readonly silence?: JobSilence;
  /** What its log tells of its steps, if it runs. */
  readonly steps?: JobSteps;
  /** What it has waited for so far, the longest first. */
  readonly waited?: readonly Waited[];
  /** The most important first: that one is the reason. Empty: nothing keeps the job from running. */
  readonly reasons: readonly WaitReason[];
  /** Where the pods find room, for each shape of pods without a node. Empty where nodes cannot be read. */
  readonly placements: readonly ShapePlacement[];
  /** Whether the pods find room now, together if they are a gang. */
  readonly fits?: 'yes' | 'no' | 'unknown';
  /** What keeps no pod from a node, but may not be what was meant, in sentences. */
  readonly notes?: readonly string[];
  /** What could not be read or is not computed, in sentences. */
  readonly unknown: readonly string[];
}

/**
 * A lane, with what runs and what waits in it.
 *
 * @public
 */
export interface LaneAnswer {
  /** Name of the lane. */
  readonly lane: string;
  /** What it shares with other lanes. */
  readonly pool: string;
  /** Whether jobs may start; it drains until nothing runs in it any more; faulty: its configuration has a fault. */
  readonly state: 'open' | 'paused' | 'drains' | 'drained' | 'faulty';
  /** Why it is not open. */
  readonly why?: string;
  /** Its part of the pool, in relation to the other lanes. */
  readonly weight: number;
  /** Lanes of a pool are served in this order, the largest first. */
  readonly priority: number;
  /** What its jobs have, by resource. */
  readonly used: Readonly<Record<string, string>>;
  /** Its part of the pool by weight, by resource. */
  readonly share: Readonly<Record<string, string>>;
  /** How much it has beyond that, by resource. */
  readonly borrowed: Readonly<Record<string, string>>;
  /** When the first job that waits can start, if the ends of those that run are known; RFC 3339. */
  readonly nextStart?: string;
  /** What runs. */
  readonly running: readonly LaneJob[];
  /** What waits, in its order. */
  readonly waiting: readonly LaneJob[];
}

/**
 * A job that runs or waits in a lane.
 *
 * @public
 */
export interface LaneJob {
  /** Its namespace. */
  readonly namespace: string;
  /** Its name. */
  readonly name: string;
  /** The larger comes first. */
  readonly priority: number;
  /** Since when it waits or, of a job that runs, since when it has its place; RFC 3339. */
  readonly since: string;
  /** What all of its pods request together, by resource. */
  readonly needs: Readonly<Record<string, string>>;
  /** By when it ends, as it declares; RFC 3339. */
  readonly ends?: string;
  /** Of a job that waits: from 1; absent if it could not start however much were free. */
  readonly position?: number;
  /** Of a job that waits: why, as a code. */
  readonly reason?: string;
  /** The same in words. */
  readonly message?: string;
}

/**
 * The lanes of an installation as they are now; docs/queue.md.
 *
 * @public
 */
export interface LanesAnswer {
  /** When it was computed, RFC 3339. */
  readonly asOf: string;
  /** In the order of the configuration. */
  readonly lanes: readonly LaneAnswer[];
  /** What could not be read, each in a sentence. */
  readonly unknown: readonly string[];
}

/**
 * A fault of a manifest or request.
 *
 * @public
 */
export interface Fault {
  /** Where it is, e.g. `spec.runPolicy.backoffLimit`. */
  readonly path: string;
  /** What was expected there. */
  readonly expected: string;
  /** The value found. */
  readonly got: string;
  /** Nothing reads the field; where unknown fields are accepted, it is no fault. */
  readonly isUnknown?: true;
}

/**
 * Argument of the update `stop`.
 *
 * @public
 */
export interface StopRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** Requests a checkpoint first, as the policy says. Refused if the policy does not say how. */
  readonly checkpoint?: boolean;
}

/**
 * Who requests an intervention, and why.
 *
 * @public
 */
export interface Intervention {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
}

/**
 * Argument of the update `scale`.
 *
 * @public
 */
export interface ScaleRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** Name of the role, in any case. */
  readonly role: string;
  /** The new number of replicas. */
  readonly replicas: number;
}

/**
 * Argument of the update `extendDeadline`.
 *
 * @public
 */
export interface ExtendRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** Added to activeDeadlineSeconds. */
  readonly seconds: number;
}

/**
 * Argument of the update `hold`.
 *
 * @public
 */
export interface HoldRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** How long failed pods are kept, from this request on; 0 keeps none. */
  readonly seconds: number;
}

/**
 * A state of the custom resource that a job was made from.
 *
 * @public
 */
export interface ResourceIdentity {
  /** As it was written. */
  readonly apiVersion: string;
  /** The kind of the job. */
  readonly kind: string;
  /** metadata.uid */
  readonly uid: string;
  /** metadata.generation */
  readonly generation: number;
  /** Hash of its annotations that decide something; absent if it has none. */
  readonly annotations?: string;
}

/**
 * Argument of the update `apply`.
 *
 * @public
 */
export interface ApplyRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The custom resource that the manifest is. Only the bridge sends it. */
  readonly resource?: ResourceIdentity;
}

/**
 * Argument of the update `amendPolicy`.
 *
 * @public
 */
export interface AmendRequest {
  /** Who asks; recorded. */
  readonly by?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** A part of a policy document, merged into the present one (RFC 7396): null removes a field. */
  readonly policy: Readonly<Record<string, unknown>>;
}

/**
 * The annotation `signalbox.dev/policy` of a job, with its defaults.
 *
 * @public
 */
export interface Policy {
  readonly restart: {
    /** Rungs from the smallest to the largest scope; after the last, the job fails. */
    readonly ladder: readonly Rung[];
    readonly backOff: BackOffRules;
    /** Budgets, ladder and waits start over when the job gets further than before. Needs progress. */
    readonly refundOnProgress: boolean;
    /** How long pods that have not failed may take to end when their gang or role restarts after a failure; default: 2s for pods with neither a grace period nor a preStop hook of their own, without checkpoint. */
    readonly survivorGraceMs?: number;
  };
  readonly failures: FailureRules;
  /** How the job reports progress. */
  readonly progress?: ProgressRules;
  readonly nodes: {
    /** Pods on a node that was in trouble for this long are lost; default: those that Kubernetes deletes from a silent node, where a new attempt of the gang is safe from them. */
    readonly lostAfterMs?: number;
    /** What counts as trouble; default: NotReady and OutOfService. */
    readonly troubles: readonly ('NotReady' | 'OutOfService' | 'Cordoned')[];
    /** What the job does on a node that a source of health calls sick, or that is repaired: go on and tell, restart elsewhere, or that after a checkpoint; default: tell. */
    readonly onSick?: 'tell' | 'restart' | 'checkpoint';
    /** The same on a node that goes away, before it does; default: tell. */
    readonly onLeaving?: 'tell' | 'restart' | 'checkpoint';
    /** How long new pods avoid a node after a failure of class infrastructure on it. */
    readonly avoidForMs?: number;
    /** How many nodes are avoided; default: 5. */
    readonly avoidAtMost: number;
    /** Deletes pods by force this long after they were told to stop. They may still run; default: only those of a gang on silent nodes, where a new attempt is safe from them. */
    readonly forceDeleteAfterMs?: number;
    /** The job waits for its pods on silent nodes, unless a time above is over; default: false. */
    readonly waitForSilent?: boolean;
  };
  /** How long a gang may wait for its nodes, and what follows. */
  readonly gang?: GangRules;
  readonly lane?: {
    /** The lane; default: the one of the configuration. */
    readonly name?: string;
    /** The larger comes first; default: 0. */
    readonly priority: number;
    /** How long it runs at most: then it may start before others that it does not delay. */
    readonly runsForMs?: number;
  };
  readonly spares?: {
    /** How many pods hold a place. */
    readonly count: number;
    /** The role whose pods they are like, in any case; default: the one with the most pods. */
    readonly role?: string;
    /** What their containers run: something that waits; default: [sleep, infinity]. */
    readonly command: readonly string[];
  };
  readonly refusals: {
    /** The job fails after being refused for this long; default: 7d. */
    readonly failAfterMs: number;
  };
  readonly evidence: {
    /** Last lines of the log of the failed container that are saved; default: 100. */
    readonly logLines: number;
  };
  /** Keeps failed pods this long for inspection. */
  readonly holdOnFailureMs?: number;
  /** How the program is asked for a checkpoint. */
  readonly checkpoint?: {
    /** A file in every container, alone in its folder; empty until a checkpoint is requested. */
    readonly file?: string;
    /** The signal that asks the program for a checkpoint. */
    readonly signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR1' | 'SIGUSR2';
    /** Time for the checkpoint; default: 5m. */
    readonly withinMs: number;
    /** With file: what says that the checkpoint is written. */
    readonly acknowledgedBy?: {
      /** RE2, found in the log of the main pod when the checkpoint is written. */
      readonly log?: string;
      /** Key of an annotation that the program sets on the main pod. */
      readonly annotation?: string;
    };
  };
  /** Mail address of who owns the job: told what becomes of it, if the installation tells owners. */
  readonly owner?: string;
  /** Scaling may restart the gang if the kind cannot change its size while it runs; default: false. */
  readonly scaleByRestart: boolean;
  /** A pod has its result when all its containers have ended, not with its main container; default: false. */
  readonly waitForSidecars: boolean;
}

/**
 * What restarts, and how often before the next rung.
 *
 * @public
 */
export interface Rung {
  /** What restarts: the larger scopes include the smaller ones. */
  readonly scope: 'container' | 'pod' | 'role' | 'gang' | 'gangElsewhere';
  /** Restarts on this rung; default: no limit. */
  readonly times?: number;
  /** A job that is not Running again after this time goes on to the next rung. */
  readonly withinMs?: number;
}

/**
 * Waits between consecutive restarts.
 *
 * @public
 */
export interface BackOffRules {
  /** The first restart is immediate; default: true. */
  readonly firstAtOnce: boolean;
  /** The first wait; default: 10s. */
  readonly initialMs: number;
  /** Each wait is this many times the last; default: 2. */
  readonly factor: number;
  /** The longest wait; default: 5m, or initial if longer. */
  readonly maxMs: number;
  /** Random part of each wait; 0.2: up to a fifth more or less. */
  readonly jitter: number;
  /** After this time without a restart, waits and ladder start over; default: 10m. */
  readonly resetAfterMs: number;
}

/**
 * Gives a failure its class if all criteria hold; the first match wins.
 *
 * @public
 */
export interface ClassRule {
  /** infrastructure, startUp, stalled, userCode, or a name of your own: letters and digits. */
  readonly class: string;
  /** Exit codes from 1 to 255 and ranges of them, e.g. [42, 100-120]. */
  readonly exitCodes?: readonly (readonly [number, number])[];
  /** RE2, found in the termination message or in the last lines of the log. */
  readonly pattern?: string;
  /** Reasons of Kubernetes, e.g. [OOMKilled, Evicted], or Deleted. */
  readonly reasons?: readonly string[];
  /** Roles of the job, in any case. */
  readonly roles?: readonly string[];
}

/**
 * How the job reports progress, log or annotation; or what follows without.
 *
 * @public
 */
export interface ProgressRules {
  /** RE2, searched in each log line of the main pod. Its first group is the progress. */
  readonly log?: string;
  /** Key of an annotation that the program sets on the main pod. */
  readonly annotation?: string;
  /** No report for this long is a failure of class stalled. */
  readonly stalledAfterMs?: number;
  /** Without log and annotation: whether it is a failure of class stalled that the program makes no step for longer than usual; default: as the installation says, else tell. */
  readonly onHang?: 'tell' | 'restart';
}

/**
 * How a gang waits for its nodes, and how long.
 *
 * @public
 */
export interface GangRules {
  /** How long an attempt may wait until its gang has nodes; default: for ever. */
  readonly placedWithinMs?: number;
  /** The job fails, or gives back what it holds and waits anew after a pause; default: fail. */
  readonly otherwise: 'fail' | 'requeue';
  /** When a gated gang is shown to its scheduler: when there is room for it, or as soon as all its pods exist, so that an autoscaler adds nodes for it; default: whenItFits. */
  readonly lift?: 'whenItFits' | 'onQuota';
}

/**
 * What failures of a class cost; at most one of final, free, budget.
 *
 * @public
 */
export interface FailureClass {
  /** The job fails without a restart. */
  readonly final?: boolean;
  /** A restart costs nothing: backoffLimit does not count it. */
  readonly free?: boolean;
  /** Restarts of this class, which backoffLimit then does not count; one more fails the job. */
  readonly budget?: number;
}

/**
 * What a failure is, and what it costs.
 *
 * @public
 */
export interface FailureRules {
  /** They precede the built-in rules. */
  readonly rules: readonly ClassRule[];
  /** What failures cost, by class. */
  readonly classes: Readonly<Record<string, FailureClass>>;
  /** Only for startUp: how long pods may take to start. */
  readonly startUpAfterMs?: number;
}
