import type { RestartScope, Rung } from '../../contracts/policy.ts';
import type { FailedPodIdentity } from './job-events.ts';
/** Replacements so far, as far as they bear on when the next one may be. */
export interface BackOff {
  /** How many followed each other without a long rest between them. */
  readonly inRow: number;
  /** When the last one was due, in epoch milliseconds. */
  readonly at: number;
}

/** Restarts by class of what made them necessary. */
export type Charges = Readonly<Record<string, number>>;

/** Where a job stands on its ladder. */
export interface LadderPosition {
  readonly rung: number;
  /** Restarts made on this rung. */
  readonly times: number;
  /** The last one, in epoch milliseconds. */
  readonly at: number;
  /** Where something failed since the ladder began, the latest first. */
  readonly nodes?: readonly string[];
}

/** A rung that can be taken; `index` is that of the ladder, or its length for what the ladder does not have. */
export interface ChosenRung {
  readonly index: number;
  readonly rung: Rung;
}

export interface Restart {
  readonly scope: Exclude<RestartScope, 'container'>;
  /** Of the ladder. */
  readonly rung: number;
  /** Pods to delete, where it is about single pods. */
  readonly replace: readonly FailedPodIdentity[];
  /** Failed pods beside these to delete: indices as ranges, by role in lower case. */
  readonly replaceAlso?: Readonly<Record<string, string>>;
  /** In lower case, where it is about whole roles. */
  readonly roles: readonly string[];
  readonly charges: Charges;
  /** How many restarts it is. */
  readonly restarts: number;
  /** Where what failed had run, if the policy wants later pods to keep away from there. */
  readonly nodes: readonly string[];
  /** Where what failed had run. */
  readonly failedOn: readonly string[];
  /** Nothing failed: pods are gone, or going, because somebody deleted them. */
  readonly atOnce: boolean;
}
