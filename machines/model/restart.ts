import type { RestartScope } from '../../contracts/policy.ts';
import type { Rung } from '../../contracts/types.ts';
import type { FailedPodIdentity } from './effects.ts';
/** Past replacements that determine when the next one may happen. */
export interface BackOffState {
  /** Number of consecutive replacements without a long pause. */
  readonly inRow: number;
  /** When the last one was due, in epoch milliseconds. */
  readonly at: number;
}

/** Replacements of pods that had not failed, since the job ran last. */
export interface UnpacedRestart extends BackOffState {
  /** What was missing or waited; compared for equality only. */
  readonly causes: readonly string[];
}

/** Number of restarts by failure class. */
export type Charges = Readonly<Record<string, number>>;

/** A job's position on its ladder. */
export interface LadderPosition {
  readonly rung: number;
  /** Restarts made on this rung. */
  readonly times: number;
  /** Time of the last restart, in epoch milliseconds. */
  readonly at: number;
  /** Nodes where something failed since the ladder began, latest first. */
  readonly nodes?: readonly string[];
}

/** A rung to take. `index` is its place on the ladder, or the ladder's length if the ladder does not have it. */
export interface ChosenRung {
  readonly index: number;
  readonly rung: Rung;
}

export interface Restart {
  readonly scope: Exclude<RestartScope, 'container'>;
  /** Index on the ladder. */
  readonly rung: number;
  /** Pods to delete, if single pods restart. */
  readonly replace: readonly FailedPodIdentity[];
  /** More failed pods to delete: indices as ranges, by role in lower case. */
  readonly replaceAlso?: Readonly<Record<string, string>>;
  /** Pods to delete, whether they run or not: indices as ranges, by role in lower case. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** In lower case, if whole roles restart. */
  readonly roles: readonly string[];
  readonly charges: Charges;
  /** How many restarts it counts as. */
  readonly restarts: number;
  /** How many of them count for rules of the manifest that have a limit, by rule. */
  readonly followed?: Readonly<Record<string, number>>;
  /** Nodes that later pods avoid, if the policy wants that. */
  readonly nodes: readonly string[];
  /** Nodes where something failed. */
  readonly failedOn: readonly string[];
  /** Something failed, and nothing was interrupted: the other pods wait for a peer that never answers. */
  readonly strands: boolean;
  /** Pods leave nodes on which they work; nothing else is wrong. */
  readonly leaves?: true;
  /** Nothing failed: pods were deleted or are being deleted. A pause precedes it only if its cause was that of the last. */
  readonly atOnce: boolean;
}
