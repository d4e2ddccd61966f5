import { CHECKPOINT, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { checkpointGrace, endsBySignal, hasPodOnNode } from './checkpoint.ts';

/** What came of the checkpoint that was asked for: told with the cause of the job's end, once it is known. */

type Known = Pick<JobContext, 'outcome'>;

/** The wait for an answer is over. `context`: with the digest that was just heard. */
export const withCheckpointAnswer = (context: JobContext, event: JobEvent): Known =>
  withMessage(context, answerOf(context, event));

function answerOf(context: JobContext, event: JobEvent): string {
  switch (event.type) {
    case 'stop':
      return cutShort(event.cause.message);
    case 'effectFailed':
      return `it could not be asked for a checkpoint: ${event.cause.message}`;
    case 'deadline':
      return `no checkpoint was acknowledged within ${timeOf(context)}`;
    default:
      if (context.digest?.acknowledged) return 'a checkpoint was acknowledged';
      if (context.digest?.anchorDeleted) return 'its anchor was deleted before a checkpoint was acknowledged';
      return 'its pods ended before a checkpoint was acknowledged';
  }
}

/** The clean-up begins: who is to write a checkpoint because of a signal gets it now. */
export function withCheckpointSignal(context: JobContext, event: JobEvent): Known {
  const { outcome, deadlines } = context;
  // Asked by a file: that is answered already.
  if (!outcome?.checkpoint || deadlines[CHECKPOINT] !== undefined) return { outcome };
  if (!hasPodOnNode(context))
    return withMessage(context, 'no pod was known to run that could have written a checkpoint');
  return endsBySignal(context) ? { outcome: { ...outcome, signalledAt: event.at } } : { outcome };
}

/** Somebody stopped the job once more while its pods had their time to end. */
export const withoutCheckpoint = (context: JobContext, event: JobEvent): Known => {
  const { outcome } = withMessage(context, event.type === 'stop' ? cutShort(event.cause.message) : '');
  return { outcome: outcome && { ...outcome, checkpoint: undefined, signalledAt: undefined } };
};

/** The clean-up is over. */
export function withSignalResult(context: JobContext, event: JobEvent): Known {
  const { outcome } = context;
  if (outcome?.signalledAt === undefined) return { outcome };
  return withMessage(context, endOf(context, event, event.at - outcome.signalledAt));
}

/** Workers may be away meanwhile, so that pods that were in time are not always seen to be. */
function endOf(context: JobContext, event: JobEvent, tookMs: number): string {
  const { signal } = jobPolicy(context).checkpoint ?? {};
  const isAnyLeft = event.type === 'effectDone' && !!event.left?.length;
  if (isAnyLeft) return `whether its pods ended after ${signal} is not known`;
  const isInTime = tookMs < (checkpointGrace(context).graceSeconds ?? 0) * 1000;
  if (isInTime) return `its pods ended within ${Math.ceil(tookMs / 1000)}s of ${signal}`;
  return `its pods were not seen to end within ${timeOf(context)} of ${signal}; what still ran then was killed`;
}

/** What a job is told in the history when it is asked by a signal. */
export const explainSignal = (context: JobContext): string =>
  context.outcome?.signalledAt === undefined
    ? ''
    : `; its pods get ${jobPolicy(context).checkpoint?.signal}, and ${timeOf(context)} to end`;

const cutShort = (asked: string) => `the wait for a checkpoint was cut short: ${asked}`;

const timeOf = (context: JobContext) => `${(jobPolicy(context).checkpoint?.withinMs ?? 0) / 1000}s`;

function withMessage({ outcome }: JobContext, what: string): Known {
  const { cause } = outcome ?? {};
  if (!outcome || !cause || !what) return { outcome };
  return { outcome: { ...outcome, cause: { ...cause, message: `${cause.message}; ${what}` } } };
}
