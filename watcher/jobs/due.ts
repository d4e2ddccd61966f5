import { isBeginning } from '../../contracts/status.ts';
import { doubledPause } from '../../language/back-off.ts';
import { earliest } from '../../language/time.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { Delivery, DigestState } from './delivery.ts';
import type { Outline } from './outline.ts';

/**
 * Intervals between digests. Each signal costs its workflow four history events, and bursts make its workflow tasks
 * fail: Temporal advises at most five signals a second per workflow.
 */
const PACE = {
  usualMs: 1_000,
  slowestMs: 5_000,
  urgentMs: 200,
  /** How long a change waits for others, to be sent in one digest. */
  holdMs: { now: 0, soon: 300, later: 10_000, lazy: 15_000 },
  /** What is sent later does not wait longer than this for the next change: the middle of a wave decides nothing. */
  quietMs: 5_000,
  settledMs: 3_000,
  detailsMs: 60_000,
} as const;

/** Interval between progress reports for jobs that do not set one. */
const PROGRESS_MS = 10_000;

/** What decides when a job's next digest is due. */
interface DigestTiming {
  readonly delivery: Readonly<Delivery>;
  readonly heldUntil?: number;
  readonly anchor?: Pick<AnchorFacts, 'phase' | 'watch' | 'isEnding' | 'milestones'>;
  readonly outline: Pick<Outline, 'reached'>;
}

/**
 * Returns when the next digest of a job is due, in epoch milliseconds; undefined if it says nothing new. `next`: what the
 * digest would contain. It is expensive to build, so at first the time is asked for without it: none is due sooner.
 */
export function digestDueAt(job: DigestTiming): number;
export function digestDueAt(job: DigestTiming, next: DigestState): number | undefined;
export function digestDueAt(job: DigestTiming, next?: DigestState): number | undefined {
  const worth = next ? worthAt(job, next) : Number.NEGATIVE_INFINITY;
  if (worth === undefined) return undefined;
  return Math.max(worth, changeDueAt(job), job.heldUntil ?? Number.NEGATIVE_INFINITY);
}

/** By the urgency of what has changed; later if the last digest was recent or failed. */
function changeDueAt(job: DigestTiming): number {
  const { changedAt, urgency, at, streak, failures } = job.delivery;
  if (failures > 0) return at + retryAfter(job.delivery);
  if (changedAt === undefined) return Number.NEGATIVE_INFINITY;
  const pace = urgency === 'now' ? urgentPace(streak) : usualPace(streak);
  return Math.max(at + pace, heldBackUntil(job, changedAt));
}

function heldBackUntil({ delivery, anchor }: DigestTiming, changedAt: number): number {
  const { urgency, lastChangedAt, sent, spreadMs } = delivery;
  switch (urgency) {
    case 'takenOver':
      return changedAt + spreadMs;
    case 'report':
      return sent?.content.progress === undefined
        ? changedAt + PACE.holdMs.soon
        : reportDueAt(sent.at, anchor);
    case 'later':
      // A clean-up waits for nothing but the last of its pods.
      return Math.min(
        anchor?.isEnding ? Number.POSITIVE_INFINITY : changedAt + PACE.holdMs.later,
        lastChangedAt + PACE.quietMs,
      );
    default:
      return changedAt + PACE.holdMs[urgency];
  }
}

const reportDueAt = (sentAt: number, anchor: DigestTiming['anchor']) =>
  sentAt + (anchor?.watch.rules?.everyMs ?? PROGRESS_MS);

/**
 * By what is new since the last digest that was delivered.
 *
 * Unchanged content is due once more when it has settled, because a workflow may wait for a digest of a certain
 * resource version. After that it is rarely due, because a scheduler may rewrite its message for hours. Progress is due
 * as often as the job asks, the first report at once.
 */
function worthAt(job: DigestTiming, next: DigestState): number | undefined {
  const { anchor } = job;
  const { sent } = job.delivery;
  if (!sent || hasChanged(sent, next)) return Number.NEGATIVE_INFINITY;
  const times: number[] = [];
  const missing = missingRecordDueAt(job);
  if (missing !== undefined) times.push(missing);
  // A job that runs waits for no resource version.
  const isNewer = sent.resourceVersion !== next.resourceVersion && anchor?.phase !== 'Running';
  if (isNewer || sent.content.details !== next.content.details) {
    times.push(sent.at + (sent.hadChanged ? PACE.settledMs : PACE.detailsMs));
  }
  // Each digest carries the progress of its time.
  if (sent.content.progress !== next.content.progress) times.push(reportDueAt(sent.at, anchor));
  return earliest(times);
}

/**
 * Returns when to tell a workflow that its anchor does not say Running, although it has heard that all pods are ready. The
 * worker that decided it writes that, and nobody if it was killed before. Digests about other things do not put it off.
 */
export function missingRecordDueAt(job: DigestTiming): number | undefined {
  const { sent, recordAwaitedFrom } = job.delivery;
  return sent && isRecordAwaited(job) ? (recordAwaitedFrom ?? sent.at) + PACE.detailsMs : undefined;
}

/** Whether all pods are ready, and the anchor does not say Running. */
export function isRecordAwaited({ anchor, outline }: Pick<DigestTiming, 'anchor' | 'outline'>): boolean {
  const { phase = '', milestones = [] } = anchor ?? {};
  return outline.reached > 0 && outline.reached === milestones.length && isBeginning(phase);
}

/** Whether facts or pods have changed, or progress appears for the first time. */
export const hasChanged = (last: DigestState | undefined, next: DigestState) =>
  !last ||
  last.podChanges !== next.podChanges ||
  last.content.facts !== next.content.facts ||
  (next.content.lane !== undefined && last.content.lane !== next.content.lane) ||
  (last.content.progress === undefined && next.content.progress !== undefined);

/** Counts digests that follow each other without a rest; 0 after a rest. */
export const nextStreak = ({ at, streak }: Pick<Delivery, 'at' | 'streak'>, now: number) =>
  now - at < 2 * usualPace(streak) ? streak + 1 : 0;

/** Slows down during a streak: the counts of a large gang change while it starts, and matter less over time. */
const usualPace = (streak: number) => Math.min(PACE.usualMs * STREAK_FACTOR ** streak, PACE.slowestMs);

/** Failures of many pods follow each other, too, but less slowly. */
const urgentPace = (streak: number) => Math.min(PACE.urgentMs * STREAK_FACTOR ** streak, PACE.usualMs);

const STREAK_FACTOR = 1.3;

/** How long a digest that could not be sent waits: longer if Temporal answers others, so that the cause is the job. */
function retryAfter({ failures, failuresAlone, isUnconfirmed, chance }: Delivery): number {
  const usual = doubledPause(PAUSE, failures);
  return (0.5 + chance) * (isUnconfirmed ? usual : Math.max(usual, doubledPause(PAUSE_ALONE, failuresAlone)));
}

/** When Temporal is back, all jobs get their digest soon. */
const PAUSE = { firstMs: 500, mostMs: 10_000 };
/** A job whose signals fail while those of others arrive is tried rarely. */
const PAUSE_ALONE = { ...PAUSE, mostMs: 300_000 };
