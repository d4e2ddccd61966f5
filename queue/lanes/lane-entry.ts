import type { Amounts } from '../../contracts/pod-requests.ts';
import { compareText } from '../../language/compare-text.ts';

/** A job of a lane: it waits, or holds what it was granted. */
export interface LaneEntry {
  /** Of the job's anchor. */
  readonly uid: string;
  readonly namespace: string;
  readonly job: string;
  readonly lane: string;
  readonly user?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  /** Since when it is in the lane, in epoch milliseconds. It keeps its place when it gives back what it has. */
  readonly since: number;
  /** When it last gave back what it had: it waits since then. */
  readonly requeuedAt?: number;
  /** What all of its pods need together. */
  readonly demand: Amounts;
  /** How long it runs at most, as it declares. */
  readonly durationMs?: number;
  /** Absent while it waits. */
  readonly granted?: LaneGrant;
  /** For whom (uid) it gives back what it has, or last gave it back; until it is granted again. */
  readonly yieldsTo?: string;
  /** The job has ended, and its pods have not: nobody can stop it for another. */
  readonly hasEnded?: true;
  /** It is not granted anything before. */
  readonly heldUntil?: number;
}

interface LaneGrant {
  readonly at: number;
  readonly startedAt?: number;
  /** When it last wrote a checkpoint: what it has done until then is not lost. */
  readonly savedAt?: number;
  /** The pool that it was granted from, if the lane may have moved to another since. */
  readonly pool?: string;
}

/** The order of a lane. A tie goes by name, so that every process has the same order. */
export const compareEntries = (a: LaneEntry, b: LaneEntry): number =>
  b.priority - a.priority ||
  a.since - b.since ||
  compareText(a.namespace, b.namespace) ||
  compareText(a.job, b.job) ||
  compareText(a.uid, b.uid);

export const nameOfEntry = ({ namespace, job }: Pick<LaneEntry, 'namespace' | 'job'>): string =>
  `job/${namespace}/${job}`;

/** It was told to give back what it has, and its pods are going. */
export const isYielding = ({ granted, yieldsTo }: LaneEntry): boolean =>
  granted !== undefined && yieldsTo !== undefined;

/** Since when it waits, or had waited when it was granted. */
export const waitsSince = ({ since, requeuedAt }: LaneEntry): number => Math.max(since, requeuedAt ?? since);

/** What was given back for a job is for it only until it starts: not once more when it waits again. */
export const isOwed = (winner: LaneEntry, giver: LaneEntry): boolean =>
  giver.granted !== undefined || (giver.requeuedAt ?? 0) > waitsSince(winner);

/** When it ends by its declaration. One that has run for longer may end at any moment. */
export function declaredEnd({ granted, durationMs }: LaneEntry, at: number): number | undefined {
  if (durationMs === undefined) return undefined;
  return Math.max(at, (granted ? (granted.startedAt ?? at) : at) + durationMs);
}

/** How much work a job loses if it stops now. */
export function lostMs({ granted }: LaneEntry, at: number): number {
  if (granted?.startedAt === undefined) return 0;
  return Math.max(0, at - Math.max(granted.startedAt, granted.savedAt ?? 0));
}
