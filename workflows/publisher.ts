import { CancellationScope, condition, setCurrentDetails } from '@temporalio/workflow';
import type { RecordStatusRequest } from '../activities/record-status.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { isFinal, type JobStatus, type Phase } from '../contracts/status.ts';
import { recordStatus } from './activity-options.ts';
import { updateSearchAttributes } from './search-attributes.ts';

/** Tells people where a job is: search attributes, details in the Temporal UI, and the record on the anchor. */
export interface Publisher {
  /** Costs history only if phase, reason or attempt changed. `cleanUp`: what goes at the end that is decided. */
  publish(status: JobStatus, cleanUp?: CleanUpScope): void;
  isIdle(): boolean;
  /** Resolves when the newest status is recorded. */
  settled(): Promise<void>;
  /** Gives up what is being recorded, and waits for that; gives the phase that is on record, for another run to go on. */
  interrupt(): Promise<Phase>;
}

/** What people have been told. */
export interface Published {
  readonly status?: JobStatus;
  /** The phase that the record has; an anchor is made with `Pending` on it. */
  readonly recorded: Phase;
}

/** What the status is recorded on. */
type Anchor = Pick<RecordStatusRequest, 'anchorUid' | 'clusterId' | 'ttlSeconds'>;

export function createPublisher(anchor: Anchor, published: Published): Publisher {
  let last = published.status;
  let { recorded } = published;
  /** Phase of what was recorded, or is being recorded. */
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
      // A final phase on the anchor means that nothing is left to do for the job: not before it is cleaned up.
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

/** So many entries of the timeline, the last, are on the anchor of a job that is not over. */
const LATEST = 10;

/** Each is an event of the history, which has the rest already. */
const brief = (status: JobStatus): JobStatus =>
  isOver(status) ? status : { ...status, timeline: status.timeline.slice(-LATEST) };

/** The machine has come to its end, not only to its outcome. */
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
