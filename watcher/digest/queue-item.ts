import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { Urgency } from '../jobs/outline.ts';
import type { Lane } from './lanes.ts';
import { UnconfirmedError } from './signal-workflow.ts';
import { digestDueAt, type Sent } from './throttle.ts';

/** The sending state of one job. It holds no digest: the newest one is built when the job's turn comes. */
export interface QueueItem {
  readonly job: WatchedJob;
  sent?: Sent;
  /** `sent` was not sent by this watcher: the anchor names the hash of its content. */
  isAssumed: boolean;
  /** The workflow run that `sent` and `isDone` refer to. */
  run?: AnchorFacts;
  /** The workflow has received its last digest, or is gone. */
  isDone: boolean;
  /** Time of the first event that is not sent yet. */
  changedAt?: number;
  /** Time of the last event. */
  lastChangedAt: number;
  urgency: Urgency;
  /** Time of the last send. */
  at: number;
  failures: number;
  /** Failures in a row while Temporal answered others: the cause is this job. */
  failuresAlone: number;
  /** The queue's `answers` at the last failure. */
  answers: number;
  /** Its workflow had not recorded its anchor at the last failure: that takes a moment. */
  isUnconfirmed?: boolean;
  /** Its workflow has answered a signal. */
  isKnown: boolean;
  /** Number of digests that followed each other without a rest. */
  streak: number;
  state: 'resting' | 'timed' | 'queued' | 'inFlight';
  timer?: NodeJS.Timeout;
}

/** `answers`: how many calls Temporal has answered so far. */
export const newItem = (job: WatchedJob, answers: number): QueueItem => ({
  job,
  isAssumed: false,
  isDone: false,
  urgency: 'atLeisure',
  lastChangedAt: Number.NEGATIVE_INFINITY,
  at: Number.NEGATIVE_INFINITY,
  failures: 0,
  failuresAlone: 0,
  answers,
  isKnown: false,
  streak: 0,
  state: 'resting',
});

export function noteAnswer(slot: QueueItem): void {
  slot.isKnown = true;
  slot.failures = 0;
  slot.failuresAlone = 0;
}

export function noteFailure(slot: QueueItem, answers: number, error: unknown): void {
  slot.failures++;
  if (slot.answers !== answers) slot.failuresAlone++;
  slot.answers = answers;
  slot.isUnconfirmed = error instanceof UnconfirmedError;
}

export const itemDueAt = ({
  changedAt = Date.now(),
  isUnconfirmed,
  failuresAlone,
  ...slot
}: QueueItem): number =>
  digestDueAt({ ...slot, changedAt, failuresAlone: isUnconfirmed ? 0 : failuresAlone });

export function signalLaneOf({ failures, isKnown }: QueueItem): Lane {
  if (failures > 0) return 'failing';
  return isKnown ? 'known' : 'new';
}
