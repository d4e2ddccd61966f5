import { CancellationScope, condition, setCurrentDetails } from '@temporalio/workflow';
import type { RecordStatusRequest } from '../activities/record-status.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { isFinal, type JobStatus, type Phase } from '../contracts/status.ts';
import { recordStatus } from './activity-options.ts';
import { updateSearchAttributes } from './search-attributes.ts';

/** Publishes a job's status: search attributes, details in the Temporal UI, and the record on the anchor. */
export interface Publisher {
  /** Adds to the history only if phase, reason or attempt changed. `cleanUp`: the clean-up of a job that has ended. */
  publish(status: JobStatus, cleanUp?: CleanUpScope): void;
  isIdle(): boolean;
  /** Resolves when the newest status is recorded. */
  settled(): Promise<void>;
  /** Cancels the recording in progress, waits for it, and returns the recorded phase for the next run. */
  interrupt(): Promise<Phase>;
}

/** What has been published so far. */
export interface Published {
  readonly status?: JobStatus;
  /** The phase on the anchor; a new anchor has `Pending`. */
  readonly recorded: Phase;
}

/** The anchor that the status is recorded on. */
type Anchor = Pick<RecordStatusRequest, 'anchorUid' | 'clusterId' | 'ttlSeconds'>;

export function createPublisher(anchor: Anchor, published: Published): Publisher {
  let last = published.status;
  let { recorded } = published;
  /** The phase recorded last, or being recorded. */
  let due = recorded;
  let waiting: Pick<RecordStatusRequest, 'status' | 'cleanUp'> | undefined;
  let busy = false;
  let recording: { readonly scope: CancellationScope; readonly ended: Promise<void> } | undefined;

  async function record(): Promise<void> {
    busy = true;
    try {
      while (waiting) {
        const { status, cleanUp } = waiting;
        waiting = undefined;
        await recordStatus({ ...anchor, status: brief(status), cleanUp });
        recorded = status.phase;
      }
    } finally {
      busy = false;
    }
  }

  return {
    publish: (status, cleanUp) => {
      updateSearchAttributes(status, last);
      last = status;
      setCurrentDetails(describe(status));
      // A final phase on the anchor means that nothing is left to do: do not record it before the clean-up is done.
      const isDue = isFinal(status.phase) ? isOver(status) : status.phase !== due;
      if (!isDue) return;
      due = status.phase;
      waiting = { status, cleanUp: isOver(status) ? cleanUp : undefined };
      if (busy) return;
      const scope = new CancellationScope({ cancellable: true });
      recording = { scope, ended: scope.run(record).catch(() => undefined) };
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

/** Number of the latest timeline entries in the Temporal UI, and on the anchor of a job that is not over. */
const LATEST = 10;

/** Each record is an event of the history, which already has the earlier entries. */
const brief = (status: JobStatus): JobStatus =>
  isOver(status) ? status : { ...status, timeline: status.timeline.slice(-LATEST) };

/** Whether the machine has reached its final state, not only its outcome. */
const isOver = ({ phase, state }: JobStatus) => phase === state && isFinal(phase);

/** Markdown for the Temporal UI. */
function describe(status: JobStatus): string {
  const { phase, kind, namespace, name, cause, attempt, restarts, timeline } = status;
  const lines = [
    `**${phase}** ${kind} \`${namespace}/${name}\`, attempt ${attempt}, ${restarts} restarts`,
    ...(cause ? [`${cause.reason}: ${cause.message}`] : []),
    '',
    ...timeline.slice(-LATEST).map((entry) => `- ${entry.at} ${entry.state}: ${entry.cause}`),
  ];
  return lines.join('\n');
}
