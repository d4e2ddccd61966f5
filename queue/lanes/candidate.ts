import type { LaneSettings } from '../../contracts/lanes.ts';
import type { LaneEntry } from './lane-entry.ts';
import type { LaneRoom } from './lane-room.ts';
import type { Vector } from './vector.ts';

/** A job as it is decided about. */
export interface Candidate {
  readonly entry: LaneEntry;
  readonly lane: LaneLine;
  readonly demand: Vector;
  /** If it started now, or by its declaration; undefined if that is not known. */
  readonly end: number | undefined;
  readonly caps: readonly Cap[];
}

/** What jobs of one user, or with one value of a label, may have together. */
export interface Cap {
  /** E.g. `user ada`. */
  readonly of: string;
  readonly most: Vector;
  readonly used: bigint[];
  /** The part of the rest that is promised. */
  readonly kept: bigint[];
  /** Whom nothing of it passes any more. */
  closedFor?: Candidate;
  /** Who has waited so long, for room, that others leave it its part. */
  readonly neededBy: Candidate[];
}

/** A lane as it is decided about. */
export interface LaneLine {
  readonly name: string;
  readonly settings: LaneSettings;
  /** Its limit. */
  readonly place: LaneRoom;
  readonly limit: Vector;
  readonly used: bigint[];
  readonly share: Vector;
  deserved: Vector;
  /** Waiting jobs that may start, in order. */
  queue: readonly Candidate[];
  /** How many of them have been looked at. */
  next: number;
  /** The first job that cannot start; those behind it can only pass it. */
  head?: Candidate;
}
