import { isFields } from '../language/fields.ts';
import { isOneOf } from '../language/one-of.ts';
import type { JobStatus, Phase, ReplicaStatus } from './types.ts';

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
