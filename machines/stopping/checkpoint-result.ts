import { timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { checkpointGrace, endsBySignal, hasPodOnNode } from './checkpoint.ts';

/** Adds the result of a requested checkpoint to the cause of the job's end. */

type Known = Pick<JobContext, 'outcome'>;

/** Ends the wait for an answer. `context`: with the digest just received. */
export const withCheckpointAnswer = (context: JobContext, event: JobEvent): Known =>
  withMessage(context, answerOf(context, event));

/** Says how the wait for a checkpoint that was requested by a file ended. */
export function answerOf(context: JobContext, event: JobEvent): string {
  switch (event.type) {
    case 'stop':
      return cutShort(event.cause.message);
    case 'effectFailed':
      return `the checkpoint could not be requested: ${event.cause.message}`;
    case 'deadline':
      return context.departure?.isAsked
        ? `no checkpoint was acknowledged until ${timeOf(context.departure.until)}`
        : `no checkpoint was acknowledged within ${checkpointTime(context)}`;
    default:
      if (context.digest?.acknowledged) return 'a checkpoint was acknowledged';
      if (context.digest?.anchorDeleted) return 'its anchor was deleted before a checkpoint was acknowledged';
      return 'its pods ended before a checkpoint was acknowledged';
  }
}

/** Called when the clean-up begins: pods that checkpoint on a signal receive it now. */
export function withCheckpointSignal(context: JobContext, event: JobEvent): Known {
  const { outcome } = context;
  // A request by file has already been answered.
  if (!outcome?.checkpoint || outcome.checkpointAskedAt !== undefined) return { outcome };
  if (!hasPodOnNode(context))
    return withMessage(context, 'no running pod was known that could have written a checkpoint');
  return endsBySignal(context) ? { outcome: { ...outcome, signalledAt: event.at } } : { outcome };
}

/** Called when the job is stopped again during the pods' time to end. */
export const withoutCheckpoint = (context: JobContext, event: JobEvent): Known => {
  const { outcome } = withMessage(context, event.type === 'stop' ? cutShort(event.cause.message) : '');
  return { outcome: outcome && { ...outcome, checkpoint: undefined, signalledAt: undefined } };
};

/** Called when the clean-up is over. */
export function withSignalResult(context: JobContext, event: JobEvent): Known {
  const { outcome } = context;
  if (outcome?.signalledAt === undefined) return { outcome };
  return withMessage(context, endOfCheckpoint(context, event, event.at - outcome.signalledAt));
}

/** Workers may be down meanwhile, so pods that ended in time are not always seen in time. */
function endOfCheckpoint(context: JobContext, event: JobEvent, tookMs: number): string {
  const { signal } = jobPolicy(context).checkpoint ?? {};
  const isAnyLeft = event.type === 'effectDone' && !!event.stuckPods?.length;
  if (isAnyLeft) return `it is not known whether its pods ended after ${signal}`;
  const isInTime = tookMs < (checkpointGrace(context).graceSeconds ?? 0) * 1000;
  if (isInTime) return `its pods ended within ${Math.ceil(tookMs / 1000)}s of ${signal}`;
  return `its pods were not seen to end within ${checkpointTime(context)} of ${signal}; those still running were killed`;
}

/** Describes a checkpoint request by signal for the timeline; empty without one. */
export const explainSignal = (context: JobContext): string =>
  context.outcome?.signalledAt === undefined
    ? ''
    : `; its pods receive ${jobPolicy(context).checkpoint?.signal} and have ${checkpointTime(context)} to end`;

const cutShort = (asked: string) => `the wait for a checkpoint was cut short: ${asked}`;

const checkpointTime = (context: JobContext) => `${(jobPolicy(context).checkpoint?.withinMs ?? 0) / 1000}s`;

function withMessage({ outcome }: JobContext, what: string): Known {
  const { cause } = outcome ?? {};
  if (!outcome || !cause || !what) return { outcome };
  return { outcome: { ...outcome, cause: { ...cause, message: `${cause.message}; ${what}` } } };
}
