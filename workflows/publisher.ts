import { CancellationScope, condition, proxySinks } from '@temporalio/workflow';
import type { RecordStatusRequest, StatusSink } from '../activities/record-status.ts';
import type { QuotaSink } from '../activities/return-quota.ts';
import { isFinal } from '../contracts/status.ts';
import type { JobStatus } from '../contracts/types.ts';
import { recordStatus } from './activity-options.ts';
import { brief, nextRecord, type Published, type Recorded } from './next-record.ts';
import type { SearchAttributes } from './search-attributes.ts';

/** The worker that decides writes it, without an activity. */
const { status: sink, quota } = proxySinks<{ readonly status: StatusSink; readonly quota: QuotaSink }>();

/** Publishes a job's status: search attributes, and the record on the anchor. */
interface Publisher {
  /** Adds to the history only if phase, reason or attempt changed, or as `nextRecord` says. */
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

/** The anchor that the status is recorded on. */
type Anchor = Pick<RecordStatusRequest, 'anchorUid' | 'clusterId'>;

/** `published`: how the last status was made searchable, and what the anchor says. */
export function createPublisher(
  anchor: Anchor,
  published: {
    readonly search: SearchAttributes;
    readonly recorded: Recorded;
    /** How long the job stays in the cluster after its end, as its newest revision says. */
    readonly ttlSeconds: () => number | undefined;
    /** The job has a custom resource. */
    readonly hasResource?: boolean;
    /** The scheduler that gave the job its quota: an activity tells them the phase. */
    readonly notifies?: RecordStatusRequest['notifies'];
  },
): Publisher {
  const { search, notifies, hasResource = false } = published;
  const about = () => ({ ...anchor, ttlSeconds: published.ttlSeconds(), ...(notifies ? { notifies } : {}) });
  const giveBackQuota = notifies ? createQuotaReturn(anchor) : () => {};
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
    const { phase, digestHash, record } = due;
    if (!hasResource || notifies || busy || latest?.phase !== phase || isFinal(phase)) return;
    const [before, counts] = [shownCounts, countsOf(latest)];
    shownCounts = counts;
    // The first status of a run is what a new anchor says, or what the run before has shown.
    if (before === undefined || before === counts) return;
    const same = { digestHash, record, over: { phase, record } };
    sink.show({ ...about(), status: brief(latest), ...same, isRecount: true });
  }

  return {
    publish: (status, more = {}) => {
      search.update(status);
      giveBackQuota(status, more.ended);
      latest = status;
      const writtenEnd = given?.isWritten ? given.status : undefined;
      const now = { ...more, hasResource, isBusy: busy, isNotified: notifies !== undefined, writtenEnd };
      const next = nextRecord(due, status, now);
      if (next.by === 'nothing') return recount();
      const over = { phase: due.phase, record: due.record };
      ({ due } = next);
      shownCounts = countsOf(status);
      if (next.by === 'show') {
        sink.show({ ...about(), ...next.record, over });
        recorded = due;
        return;
      }
      waiting = { ...next.record, as: due };
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
 * Returns what gives back the quota of replicas that have ended. It adds nothing to the history. Not while the job starts or
 * restarts: its pods may still be made anew.
 */
function createQuotaReturn({ anchorUid, clusterId }: Anchor) {
  let returned = { attempt: 0, ended: 0 };
  return ({ phase, attempt, namespace, name }: JobStatus, ended = 0): void => {
    const before = returned.attempt === attempt ? returned.ended : 0;
    if (phase !== 'Running' || ended <= before) return;
    returned = { attempt, ended };
    quota.giveBack({ anchorUid, clusterId, namespace, name, attempt });
  };
}

const countsOf = ({ replicaStatuses }: JobStatus): string => JSON.stringify(replicaStatuses);
