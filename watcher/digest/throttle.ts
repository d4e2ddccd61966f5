import type { Urgency } from '../jobs/outline.ts';
import type { DigestContent } from './digest-content.ts';

/**
 * Intervals between digests. Each signal costs its workflow four history events, and bursts make its workflow tasks
 * fail: Temporal advises at most five signals a second per workflow.
 */
const PACE = {
  usualMs: 1_000,
  slowestMs: 5_000,
  urgentMs: 200,
  /** How long a change waits for others, to be sent in one digest. */
  holdMs: { now: 0, soon: 300, later: 10_000, atLeisure: 15_000 },
  /** What is sent later does not wait longer than this for the next change: the middle of a wave decides nothing. */
  quietMs: 5_000,
  settledMs: 3_000,
  detailsMs: 60_000,
} as const;

export interface Sent {
  readonly content: DigestContent;
  /** The job's `podChanges` at that time. */
  readonly podChanges: number;
  /** Resource version of the last event of the job's pods at that time. */
  readonly resourceVersion: number;
  /** It was sent because its content had changed, not only its resource version. */
  readonly hadChanged: boolean;
  readonly at: number;
}

/** Returns when a job's next digest is due: by its urgency, and later if the last one was recent or failed. */
export function digestDueAt(last: {
  readonly at: number;
  /** Times of the first and of the last change that are not sent yet. */
  readonly changedAt: number;
  readonly lastChangedAt: number;
  readonly urgency: Urgency;
  readonly failures: number;
  /** Those that were the job's own. */
  readonly failuresAlone: number;
  readonly streak: number;
}): number {
  const { at, changedAt, lastChangedAt, urgency, failures, failuresAlone, streak } = last;
  if (failures > 0) return at + Math.max(backOff(failures), backOff(failuresAlone, ALONE_MOST_MS));
  const pace = urgency === 'now' ? urgentPace(streak) : usualPace(streak);
  const held = changedAt + PACE.holdMs[urgency];
  return Math.max(at + pace, urgency === 'later' ? Math.min(held, lastChangedAt + PACE.quietMs) : held);
}

/** Counts digests that follow each other without a rest; 0 after a rest. */
export const nextStreak = (last: { readonly at: number; readonly streak: number }, now: number) =>
  now - last.at < 2 * usualPace(last.streak) ? last.streak + 1 : 0;

/** Slows down during a streak: the counts of a large gang change while it starts, and matter less over time. */
const usualPace = (streak: number) => Math.min(PACE.usualMs * STREAK_FACTOR ** streak, PACE.slowestMs);

/** Failures of many pods follow each other, too, but less slowly. */
const urgentPace = (streak: number) => Math.min(PACE.urgentMs * STREAK_FACTOR ** streak, PACE.usualMs);

const STREAK_FACTOR = 1.3;

/**
 * Returns when this content is worth a signal, given the last one delivered; undefined if it is not.
 *
 * Unchanged content is due once more when it has settled, because a workflow may wait for a digest of a certain
 * resource version. After that it is rarely due, because a scheduler may rewrite its message for hours. Progress is due
 * as often as the job asks, the first report at once.
 */
export function nextSendAt(
  last: Sent | undefined,
  next: Pick<Sent, 'content' | 'podChanges' | 'resourceVersion'>,
  { everyMs = PROGRESS_MS, phase }: { readonly everyMs?: number; readonly phase: string },
): number | undefined {
  if (!last || hasChanged(last, next)) return Number.NEGATIVE_INFINITY;
  const times: number[] = [];
  // A job that runs waits for no resource version.
  const isNewer = last.resourceVersion !== next.resourceVersion && phase !== 'Running';
  if (isNewer || last.content.details !== next.content.details) {
    times.push(last.at + (last.hadChanged ? PACE.settledMs : PACE.detailsMs));
  }
  // Each digest carries the progress of its time.
  if (last.content.progress !== next.content.progress) times.push(last.at + everyMs);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Interval between progress reports for jobs that do not set one. */
export const PROGRESS_MS = 10_000;

/** Interval between retries of a request that the API server forbids. */
export const FORBIDDEN_MS = 300_000;

/** Whether facts or pods have changed, or progress appears for the first time. */
export const hasChanged = (
  last: Pick<Sent, 'content' | 'podChanges'> | undefined,
  next: Pick<Sent, 'content' | 'podChanges'>,
) =>
  !last ||
  last.podChanges !== next.podChanges ||
  last.content.facts !== next.content.facts ||
  (last.content.progress === undefined && next.content.progress !== undefined);

/** Returns the delay in milliseconds after this many failures in a row, random so that a thousand jobs spread out. */
export function backOff(failures: number, mostMs = MOST_MS, random = Math.random()): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), mostMs) * (0.5 + random);
}

const FIRST_MS = 500;
/** When Temporal is back, all jobs are told soon. */
const MOST_MS = 10_000;
/** A job whose signals fail while those of others arrive is tried rarely. */
const ALONE_MOST_MS = 300_000;
