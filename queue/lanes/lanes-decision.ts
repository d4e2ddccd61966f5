import type { LanesConfig } from '../../contracts/lanes.ts';
import type { Amounts } from '../../contracts/pod-requests.ts';
import type { LaneEntry } from './lane-entry.ts';
import type { LaneReasonCode } from './lane-reasons.ts';

/** Everything that a decision follows from. */
export interface LanesState {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly lanes: LanesConfig;
  /** What each pool has, by its name; a pool that is absent is not known. */
  readonly capacity: ReadonlyMap<string, Amounts>;
  /** What each pool has when it is empty and whole: only who needs more never fits. As `capacity` if absent. */
  readonly whole?: ReadonlyMap<string, Amounts>;
  readonly entries: readonly LaneEntry[];
}

export interface LanesDecision {
  readonly grants: readonly Grant[];
  /** Who is to be told to give back what it has. Who has been told (`yieldsTo`) is not listed again. */
  readonly yields: readonly Yield[];
  /** Of each entry that goes on waiting, by uid. */
  readonly standings: ReadonlyMap<string, LaneStanding>;
  /** In the order of the configuration. */
  readonly lanes: readonly LaneView[];
}

export interface Grant {
  readonly uid: string;
  /** It starts before others that wait for room. */
  readonly backfilled?: Backfilled;
  /** Who gave back what it gets, by uid. */
  readonly after?: readonly string[];
}

export interface Backfilled {
  /** Whom it passes: the first job of its lane, by uid. */
  readonly past: string;
  /**
   * `endsBefore`: it ends before the other can start. `spare`: the other does not need what it takes. `any`: the
   * configuration lets any job pass.
   */
  readonly because: 'endsBefore' | 'spare' | 'any';
}

export interface Yield {
  readonly uid: string;
  /** For whom, by uid. */
  readonly to: string;
  /** `Reclaimed`: by a lane that gets its share. `Preempted`: by a job of higher priority in its own lane. */
  readonly reason: 'Reclaimed' | 'Preempted';
  /** How much of its work is lost if it stops without a new checkpoint. */
  readonly lostMs: number;
  /** In words, for both. */
  readonly sentence: string;
}

/** Why a job waits. */
export interface LaneStanding {
  readonly code: LaneReasonCode;
  readonly sentence: string;
  readonly lane: string;
  /** From 1; absent for a job that could not start however much were free. */
  readonly position?: number;
  /** How many jobs of the lane have a position. */
  readonly of: number;
  /** Those before it, the first first; at most 5. */
  readonly ahead: readonly Ahead[];
  /** Epoch milliseconds, if the ends of those that run are known: of the first job of a lane. */
  readonly earliestStart?: number;
}

interface Ahead {
  readonly uid: string;
  /** E.g. `job/ml/train`. */
  readonly name: string;
  readonly needs: Amounts;
}

/** A lane as people look at it. */
export interface LaneView {
  readonly lane: string;
  readonly pool: string;
  readonly state: 'open' | 'paused' | 'drains' | 'drained' | 'faulty';
  /** Why it is not open. */
  readonly why?: string;
  readonly weight: number;
  readonly priority: number;
  readonly limit?: Amounts;
  /** Its part of the pool by weight. */
  readonly share: Amounts;
  /** What it may claim now: its share, and its part of what other lanes do not want. */
  readonly deserved: Amounts;
  /** After the grants of this decision. */
  readonly used: Amounts;
  /** The part of it beyond its share. */
  readonly borrowed: Amounts;
  /** The largest part of the pool that it uses, over all resources; 0 to 1. */
  readonly dominantShare: number;
  /** Jobs that hold something, those that give it back among them. */
  readonly running: number;
  readonly yielding: number;
  readonly waiting: number;
  /** The first job that waits for room, a limit or its turn. */
  readonly head?: Ahead;
  /** When it can start, if ends are known; epoch milliseconds. */
  readonly nextStart?: number;
}
