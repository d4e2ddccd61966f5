import type { EvidenceSummary } from './evidence.ts';
import type { Condition } from './kubernetes.ts';
import type { ReasonCode } from './reasons.ts';

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
export type Phase = (typeof PHASES)[number];
export const FINAL_PHASES = ['Completed', 'Failed', 'Stopped'] as const satisfies readonly Phase[];
export type FinalPhase = (typeof FINAL_PHASES)[number];

export const isFinal = (phase: string): phase is FinalPhase =>
  (FINAL_PHASES as readonly string[]).includes(phase);

/** Why a job is where it is, and what decided it. */
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
}

export interface ReplicaStatus {
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** Without a node; with one and not ready; ready. Of a PaddleJob of paddle-operator, instead of `active`. */
  readonly pending?: number;
  readonly starting?: number;
  readonly running?: number;
  /** Of those kinds whose original operator shows one. */
  readonly selector?: string;
}

/** Once a job has ended and its pods are removed, none of them is active. */
export const withoutActive = (statuses: JobStatus['replicaStatuses']): JobStatus['replicaStatuses'] =>
  Object.fromEntries(
    Object.entries(statuses).map(([role, { active, pending, starting, running, ...ended }]) => [role, ended]),
  );

export interface TimelineEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly phase: Phase;
  /** The machine's state, e.g. `Pending.Scheduling`. */
  readonly state: string;
  readonly attempt: number;
  readonly cause: string;
}

/** The answer to the `status` query, what the anchor records, and what `signalbox get` prints. */
export interface JobStatus {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly phase: Phase;
  readonly state: string;
  readonly attempt: number;
  /** Restarts so far: of containers in place, and of pods by replacement. */
  readonly restarts: number;
  readonly cause?: Cause;
  readonly conditions: readonly Condition[];
  readonly replicaStatuses: Readonly<Record<string, ReplicaStatus>>;
  /** Of a PaddleJob of paddle-operator: PS, Collective or Single. */
  readonly mode?: string;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly warnings: readonly string[];
  /** How far the job said last that it has got. */
  readonly progress?: string;
  /** Of the failed pods, the last first. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Restarts charged to failure classes that have a budget, by class. */
  readonly budgets?: Readonly<Record<string, { readonly used: number; readonly allowed: number }>>;
  /** Nodes that new pods keep away from, with the time until when (RFC 3339). */
  readonly avoided?: Readonly<Record<string, string>>;
  readonly timeline: readonly TimelineEntry[];
}

/** How a job ended: the workflow's result, or the first detail of its failure. */
export type JobOutcome = JobStatus & { readonly phase: FinalPhase };

export const isOutcome = (value: unknown): value is JobOutcome =>
  typeof value === 'object' &&
  value !== null &&
  isFinal(String((value as { phase?: unknown }).phase)) &&
  Array.isArray((value as { timeline?: unknown }).timeline);
