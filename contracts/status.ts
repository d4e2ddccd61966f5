import { isFields } from '../language/fields.ts';
import { isOneOf } from '../language/one-of.ts';
import type { EvidenceSummary } from './evidence.ts';
import type { Condition } from './kubernetes.ts';
import type { ReasonCode } from './reasons.ts';

/**
 * All phases of a job.
 *
 * @public
 */
export const PHASES = [
  'Pending',
  'Starting',
  'Running',
  'Restarting',
  'Suspended',
  'Completed',
  'Failed',
  'Stopped',
] as const;
/**
 * The phase of a job, as people read it.
 *
 * @public
 */
export type Phase = (typeof PHASES)[number];
/**
 * The phases in which a job has ended.
 *
 * @public
 */
export const FINAL_PHASES = ['Completed', 'Failed', 'Stopped'] as const satisfies readonly Phase[];
/**
 * A phase in which a job has ended.
 *
 * @public
 */
export type FinalPhase = (typeof FINAL_PHASES)[number];

/** Whether a job has yet to run, as far as the phase says. */
export const isBeginning = (phase: string): boolean => phase === 'Pending' || phase === 'Starting';

export const isFinal = (phase: string): phase is FinalPhase => isOneOf(FINAL_PHASES, phase);

/**
 * Why a job is in its state, and which rule decided it.
 *
 * @public
 */
export interface Cause {
  readonly reason: ReasonCode;
  readonly message: string;
  /** The rule that decided, e.g. `spec.pytorchReplicaSpecs.Worker.restartPolicy: Never`. */
  readonly rule?: string;
  readonly pod?: string;
  readonly node?: string;
  readonly container?: string;
  readonly exitCode?: number;
  readonly signal?: number;
  /** Who requested a stop or a suspension, and why; not verified. */
  readonly by?: string;
  readonly why?: string;
  /** What else the job waits for, the most important first; at most four. */
  readonly also?: readonly OtherCause[];
}

/**
 * What a job waits for besides its cause.
 *
 * @public
 */
export type OtherCause = Pick<Cause, 'reason' | 'message' | 'pod' | 'node'>;

/**
 * How many pods of a role are in which state.
 *
 * @public
 */
export interface ReplicaStatus {
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** Pods without a node; on a node, not ready; ready. Only for kinds that count these instead of `active`. */
  readonly pending?: number;
  readonly starting?: number;
  readonly running?: number;
  /** Only for kinds whose original operator shows one. */
  readonly selector?: string;
}

/**
 * The name of a count in `ReplicaStatus`.
 *
 * @public
 */
export type ReplicaCount = Exclude<keyof ReplicaStatus, 'selector'>;
export const DEFAULT_REPLICA_COUNTS: readonly ReplicaCount[] = ['active', 'succeeded', 'failed'];

/** Whether a suspended job may have pods left. One that was created suspended has had none. */
export const isSuspendedWithPods = ({ state, startTime }: Pick<JobStatus, 'state' | 'startTime'>): boolean =>
  state === 'Suspended.Draining' && startTime !== undefined;

/** Removes the active counts: an ended job whose pods are deleted has none. */
export const withoutActive = (statuses: JobStatus['replicaStatuses']): JobStatus['replicaStatuses'] =>
  Object.fromEntries(
    Object.entries(statuses).map(([role, { active, pending, starting, running, ...ended }]) => [role, ended]),
  );

/**
 * One transition of a job.
 *
 * @public
 */
export interface TimelineEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly phase: Phase;
  /** The machine's state, e.g. `Pending.Scheduling`. */
  readonly state: string;
  readonly attempt: number;
  readonly cause: string;
}

/**
 * Pods that hold places for pods of a job.
 *
 * @public
 */
export interface SparesStatus {
  readonly wanted: number;
  /** How many have a node, and the image there. */
  readonly placed: number;
  /** Why not all, if it is known. */
  readonly why?: string;
}

/**
 * The answer to the `status` query, what the anchor records, and what `signalbox get` prints.
 *
 * @public
 */
export interface JobStatus {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly phase: Phase;
  readonly state: string;
  /** Since when it is in this state, RFC 3339. */
  readonly since?: string;
  readonly attempt: number;
  /** Restarts so far: of containers in place, and of pods by replacement. */
  readonly restarts: number;
  readonly cause?: Cause;
  readonly conditions: readonly Condition[];
  readonly replicaStatuses: Readonly<Record<string, ReplicaStatus>>;
  /** Pods, by role, that the clean-up of a completed job ended: Kubeflow's replicaStatuses count them as succeeded. */
  readonly terminated?: Readonly<Record<string, number>>;
  /** When the watcher counted them, RFC 3339: while pods start or end, the counts may be seconds old. */
  readonly countedAt?: string;
  /** The counts that the kind has, if they are not active, succeeded and failed. */
  readonly replicaCounts?: readonly ReplicaCount[];
  /** Only for kinds whose original operator shows one, e.g. Collective. */
  readonly mode?: string;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly warnings: readonly string[];
  /** The last progress that the job reported. */
  readonly progress?: string;
  /** Failed pods, the latest first. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Pods that hold places for pods of the job, if its policy asks for some. */
  readonly spares?: SparesStatus;
  /** How many replicas each role should have; the size that was asked for last. */
  readonly wanted?: Readonly<Record<string, number>>;
  /** runPolicy.backoffLimit: how many restarts the job may have, if that is limited. */
  readonly restartsAllowed?: number;
  /** Restarts charged to failure classes that have a budget, by class. */
  readonly budgets?: Readonly<Record<string, { readonly used: number; readonly allowed: number }>>;
  /** Nodes that new pods avoid, and until when (RFC 3339). */
  readonly avoided?: Readonly<Record<string, string>>;
  readonly timeline: readonly TimelineEntry[];
}

/** Sets when the job reached the last state of its timeline; `at` is RFC 3339. */
export const endedAt = (status: JobStatus, at: string): JobStatus => ({
  ...status,
  since: at,
  timeline: status.timeline.map((entry, index, { length }) =>
    index === length - 1 ? { ...entry, at } : entry,
  ),
});

/**
 * How a job ended: the result of its workflow, or the first detail of its failure.
 *
 * @public
 */
export type JobOutcome = JobStatus & { readonly phase: FinalPhase };

/** Whether the job was admitted before it ended; only then has its workflow cleaned up. Admission makes it Created. */
export const wasAdmitted = ({ conditions }: JobOutcome): boolean => conditions.length > 0;

export const isOutcome = (value: unknown): value is JobOutcome =>
  isFields(value) && isFinal(String(value.phase)) && Array.isArray(value.timeline);
