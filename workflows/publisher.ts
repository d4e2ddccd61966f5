import { CancellationScope, condition, proxySinks } from '@temporalio/workflow';
import type { RecordStatusRequest, StatusSink } from '../activities/record-status.ts';
import type { QuotaSink } from '../activities/return-quota.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import {
  endedAt,
  isBeginning,
  isFinal,
  isSuspendedWithPods,
  type JobStatus,
  type Phase,
} from '../contracts/status.ts';
import { recordStatus } from './activity-options.ts';
import { lastingReason, type SearchAttributes } from './search-attributes.ts';

/** The worker that decides writes it, without an activity: see `isShown`. */
const { status: sink, quota } = proxySinks<{ readonly status: StatusSink; readonly quota: QuotaSink }>();

/** Publishes a job's status: search attributes, and the record on the anchor. */
export interface Publisher {
  /** Adds to the history only if phase, reason or attempt changed, or once more while the job runs or is suspended (`Recorded`). */
  publish(status: JobStatus, more?: Published): void;
  /** Returns the record of a final status for the clean-up, which may write it as the last thing that it does. */
  handOver(status: JobStatus, more: Published): RecordStatusRequest;
  /** The clean-up has written what was handed over last, perhaps with another time as that of the end. */
  handedOver(): void;
  isIdle(): boolean;
  /** Resolves when the newest status is recorded. */
  settled(): Promise<void>;
  /** Cancels the recording in progress, waits for it, and returns what is recorded for the next run. */
  interrupt(): Promise<Recorded>;
}

export interface Published {
  /** The clean-up of a job that has ended. */
  readonly cleanUp?: CleanUpScope;
  /** Hash of the last digest. */
  readonly digestHash?: string;
  /** The watcher sees all pods of the job, and an anchor that does not say so (`Digest.isUnrecorded`). */
  readonly isUnrecorded?: boolean;
  /** Replicas of the attempt that have ended for good: whoever gave the job its quota may have theirs back. */
  readonly ended?: number;
}

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

/** The anchor that the status is recorded on. */
type Anchor = Pick<RecordStatusRequest, 'anchorUid' | 'clusterId'>;

/** `published`: how the last status was made searchable, and what the anchor says. */
export function createPublisher(
  { anchorUid, clusterId }: Anchor,
  published: {
    readonly search: SearchAttributes;
    readonly recorded: Recorded;
    /** How long the job stays in the cluster after its end, as its newest revision says. */
    readonly ttlSeconds: () => number | undefined;
    /**
     * The job has a custom resource, on which others look for when the pods of a suspended job are gone, and for what the job
     * waits for.
     */
    readonly hasResource?: boolean;
    /** Whoever gave the job its quota: an activity tells them the phase. */
    readonly toldTo?: RecordStatusRequest['toldTo'];
  },
): Publisher {
  const { search, toldTo } = published;
  const about = () => ({
    ...{ anchorUid, clusterId, ttlSeconds: published.ttlSeconds() },
    ...(toldTo ? { toldTo } : {}),
  });
  let { recorded } = published;
  /** What is recorded last, or being recorded. */
  let due = recorded;
  let waiting:
    | (Omit<RecordStatusRequest, keyof Anchor | 'ttlSeconds'> & { readonly as: Recorded })
    | undefined;
  /** The final status that the clean-up was given to record. */
  let given: { readonly status: JobStatus; readonly isWritten: boolean } | undefined;
  let busy = false;
  /** The newest status, and the counts that the anchor says. */
  let latest: JobStatus | undefined;
  let shownCounts: string | undefined;
  /** For how many replicas, and of which attempt, quota was given back. */
  let returned = { attempt: 0, ended: 0 };
  let recording: { readonly scope: CancellationScope; readonly ended: Promise<void> } | undefined;

  async function recordWaiting(): Promise<void> {
    busy = true;
    try {
      while (waiting) {
        const { as, ...what } = waiting;
        waiting = undefined;
        await recordStatus({ ...about(), ...what });
        recorded = as;
      }
    } finally {
      busy = false;
    }
    recount();
  }

  /** Shows counts that change within a phase, of a job with a resource. Adds nothing to the history. */
  function recount(): void {
    if (!published.hasResource || !latest || busy || toldTo || isFinal(latest.phase)) return;
    const { phase, digestHash, record } = due;
    const [before, counts] = [shownCounts, countsOf(latest)];
    if (latest.phase !== phase) return;
    shownCounts = counts;
    // The first status of a run is what a new anchor says, or what the run before has shown.
    if (before === undefined || before === counts) return;
    const same = { digestHash, record, over: { phase, record } };
    sink.show({ ...about(), status: brief(latest), ...same, isRecount: true });
  }

  /** Adds nothing to the history. Not while the job starts or restarts: its pods may still be made anew. */
  function giveBackQuota({ phase, attempt, namespace, name }: JobStatus, ended: number): void {
    const before = returned.attempt === attempt ? returned.ended : 0;
    if (!toldTo || phase !== 'Running' || ended <= before) return;
    returned = { attempt, ended };
    quota.giveBack({ anchorUid, clusterId, namespace, name, attempt });
  }

  return {
    publish: (status, { cleanUp, digestHash: known = '', isUnrecorded = false, ended = 0 } = {}) => {
      search.update(status);
      giveBackQuota(status, ended);
      latest = status;
      // A final phase on the anchor means that nothing is left to do: do not record it before the clean-up is done.
      const { phase } = status;
      const isNewPhase = phase !== due.phase;
      const isOutdated = due.digestHash !== '' && due.digestHash !== known;
      const isLost = isUnrecorded && phase === 'Running' && !busy;
      const isDrained = due.isDraining && isResting(status);
      const isAnotherRecord = isNewPhase || isOutdated || isLost || isDrained;
      const reason = published.hasResource && !isFinal(phase) ? lastingReason(status) : undefined;
      const isDue = isFinal(phase) ? isOver(status) : isAnotherRecord || reason !== due.reason;
      if (!isDue) recount();
      if (!isDue || (given?.isWritten && isSameEnd(given.status, status))) return;
      shownCounts = countsOf(status);
      const over = due;
      const kept = isAnotherRecord ? '' : over.digestHash;
      const digestHash = isNewPhase && phase === 'Running' ? known : kept;
      const isDraining = published.hasResource && isSuspendedWithPods(status);
      due = {
        phase,
        digestHash,
        record: over.record + 1,
        ...(isDraining ? { isDraining: true as const } : {}),
        ...(reason ? { reason } : {}),
      };
      const { record } = due;
      const next = {
        status: brief(status),
        digestHash,
        record,
        cleanUp: isOver(status) ? cleanUp : undefined,
      };
      if (!busy && !toldTo && (!isAnotherRecord || isShown(over.phase, phase))) {
        sink.show({ ...about(), ...next, over: { phase: over.phase, record: over.record } });
        recorded = due;
        return;
      }
      waiting = { ...next, as: due };
      if (busy) return;
      const scope = new CancellationScope({ cancellable: true });
      recording = { scope, ended: scope.run(recordWaiting).catch(() => undefined) };
    },
    handOver: (status, { cleanUp }) => {
      given = { status, isWritten: false };
      return { ...about(), status, cleanUp, digestHash: '', record: due.record + 1 };
    },
    handedOver: () => {
      given = given && { ...given, isWritten: true };
    },
    isIdle: () => !busy,
    settled: () => condition(() => !busy),
    interrupt: async () => {
      recording?.scope.cancel();
      await recording?.ended;
      due = recorded;
      return recorded;
    },
  };
}

/**
 * Whether the phase only shows that a job has come further. If such a record is lost with its worker, the watcher takes the
 * job for one that has not begun: it tells its workflow more than usual, and after a while that the record is missing. All
 * other phases need an activity: where the anchor says Running wrongly, the watcher would tell too little.
 */
const isShown = (before: Phase, now: Phase) =>
  isBeginning(before) && (now === 'Starting' || now === 'Running');

const countsOf = ({ replicaStatuses }: JobStatus): string => JSON.stringify(replicaStatuses);

/** Whether all pods of a suspended job are gone. */
const isResting = ({ state }: JobStatus) => state === 'Suspended.Resting';

/** Number of the latest timeline entries on the anchor of a job that is not over. */
const LATEST = 10;

/** Each record is an event of the history, which already has the earlier entries. */
const brief = (status: JobStatus): JobStatus =>
  isOver(status) ? status : { ...status, timeline: status.timeline.slice(-LATEST) };

/** Whether the statuses differ in nothing but the time of the end. */
const isSameEnd = (one: JobStatus, other: JobStatus) =>
  JSON.stringify(endedAt(one, '')) === JSON.stringify(endedAt(other, ''));

/** Whether the machine has reached its final state, not only its outcome. */
const isOver = ({ phase, state }: JobStatus) => phase === state && isFinal(phase);
