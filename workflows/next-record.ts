import type { RecordStatusRequest } from '../activities/record-status.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { endedAt, isBeginning, isFinal, isSuspendedWithPods } from '../contracts/status.ts';
import type { JobStatus, Phase } from '../contracts/types.ts';
import { lastingReason } from './search-attributes.ts';

/** What the anchor says. */
export interface Recorded {
  readonly phase: Phase;
  /** How often its phase was recorded. */
  readonly record: number;
  /**
   * While a job runs: the hash of the last digest. Once another one comes it is removed, and not written again before
   * the next phase. So a watcher that takes over knows of most jobs that their workflows know everything already.
   */
  readonly digestHash: string;
  /** The job was recorded as suspended while pods of it were left, and whether these are gone is to be recorded, too. */
  readonly isDraining?: true;
  /** The reason that a job with a custom resource was recorded with. */
  readonly reason?: ReasonCode;
}

/** On a new anchor. */
export const NEWLY_RECORDED: Recorded = { phase: 'Pending', record: 1, digestHash: '' };

/** What comes with a status. */
export interface Published {
  /** The clean-up of a job that has ended. */
  readonly cleanUp?: CleanUpScope;
  /** Hash of the last digest. */
  readonly digestHash?: string;
  /** The watcher sees all pods of the job, and an anchor that does not say so (`Digest.isUnrecorded`). */
  readonly isUnrecorded?: boolean;
  /** Replicas of the attempt that have ended for good: the scheduler that gave the job its quota may have theirs back. */
  readonly ended?: number;
}

interface Circumstances extends Published {
  /** Others look on a custom resource for when the pods of a suspended job are gone, and for what the job waits for. */
  readonly hasResource: boolean;
  /** Something is being recorded. */
  readonly isBusy: boolean;
  /** A record tells another program the phase, which takes an activity. */
  readonly isNotified: boolean;
  /** The final status that the clean-up has written, perhaps with another time as that of the end. */
  readonly writtenEnd?: JobStatus;
}

/** How a record is made: `show` is the sink of the worker that decides, `write` an activity. */
type NextRecord =
  | { readonly by: 'nothing' }
  | {
      readonly by: 'show' | 'write';
      readonly due: Recorded;
      readonly record: Pick<RecordStatusRequest, 'status' | 'digestHash' | 'record' | 'cleanUp'>;
    };

/** Decides what to record of a status: `before` is what was recorded last, or is being recorded. */
export function nextRecord(before: Recorded, status: JobStatus, now: Circumstances): NextRecord {
  const { phase } = status;
  const reason = now.hasResource && !isFinal(phase) ? lastingReason(status) : undefined;
  const isAnother = isAnotherRecord(before, status, now);
  // A final phase on the anchor means that nothing is left to do: do not record it before the clean-up is done.
  const isDue = isFinal(phase) ? isOver(status) : isAnother || reason !== before.reason;
  if (!isDue || (now.writtenEnd && isSameEnd(now.writtenEnd, status))) return { by: 'nothing' };
  const record = before.record + 1;
  const digestHash = hashFor(before, status, now.digestHash, isAnother);
  const due: Recorded = {
    ...{ phase, digestHash, record },
    ...(now.hasResource && isSuspendedWithPods(status) ? { isDraining: true } : {}),
    ...(reason ? { reason } : {}),
  };
  const isShownOnly = !isAnother || isShown(before.phase, phase);
  return {
    by: isShownOnly && !now.isBusy && !now.isNotified ? 'show' : 'write',
    due,
    record: { status: brief(status), digestHash, record, cleanUp: isOver(status) ? now.cleanUp : undefined },
  };
}

/** Whether more than the reason is to be recorded. */
function isAnotherRecord(
  before: Recorded,
  { phase, state }: JobStatus,
  { digestHash = '', isUnrecorded, isBusy }: Circumstances,
): boolean {
  const isOutdated = before.digestHash !== '' && before.digestHash !== digestHash;
  const isLost = isUnrecorded === true && phase === 'Running' && !isBusy;
  const isDrained = before.isDraining === true && state === 'Suspended.Resting';
  return phase !== before.phase || isOutdated || isLost || isDrained;
}

function hashFor(before: Recorded, { phase }: JobStatus, known = '', isAnother = false): string {
  if (phase !== before.phase && phase === 'Running') return known;
  return isAnother ? '' : before.digestHash;
}

/**
 * Whether the phase only shows that a job has come further. If such a record is lost with its worker, the watcher takes the
 * job for one that has not begun: it tells its workflow more than usual, and after a while that the record is missing. All
 * other phases need an activity: where the anchor says Running wrongly, the watcher would tell too little.
 */
const isShown = (before: Phase, now: Phase) =>
  isBeginning(before) && (now === 'Starting' || now === 'Running');

/** Number of the latest timeline entries on the anchor of a job that is not over. */
const LATEST = 10;

/** Each record is an event of the history, which already has the earlier entries. */
export const brief = (status: JobStatus): JobStatus =>
  isOver(status) ? status : { ...status, timeline: status.timeline.slice(-LATEST) };

/** Whether the statuses differ in nothing but the time of the end. */
const isSameEnd = (one: JobStatus, other: JobStatus) =>
  JSON.stringify(endedAt(one, '')) === JSON.stringify(endedAt(other, ''));

/** Whether the machine has reached its final state, not only its outcome. */
const isOver = ({ phase, state }: JobStatus) => phase === state && isFinal(phase);
