import type { Cause } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { isCheckpointOver } from './checkpoint.ts';
import { answerOf } from './checkpoint-result.ts';
import { withDepartureSaved } from './departure.ts';

/** A queue takes the place of a job back: it stops, after a checkpoint, and its next attempt waits to be admitted. */

/** Returns why the present attempt has to go; undefined if it may stay. */
export function evictionOf({ digest, attempt }: JobContext): Cause | undefined {
  const { eviction } = digest ?? {};
  if (eviction?.attempt !== attempt) return undefined;
  return { reason: eviction.reason, message: eviction.message };
}

/** From now on the gang restarts, at no cost. The time in which it waits is not active time. */
export function withEviction(context: JobContext): Partial<JobContext> {
  const cause = evictionOf(context);
  if (!cause) return {};
  return {
    eviction: { cause },
    departure: undefined,
    restarting: { scope: 'gang', why: cause.message },
    activeSince: undefined,
    holdsPlace: undefined,
    yieldsTo: context.digest?.eviction?.to,
    backsOffUntil: undefined,
    trouble: undefined,
  };
}

/** A program that checkpoints on a signal gets that when its pod is deleted. */
export const savesBeforeEviction = (context: JobContext): boolean =>
  jobPolicy(context).checkpoint?.file !== undefined && !isCheckpointOver(context);

export const withCheckpointRequest = (
  { eviction, departure }: JobContext,
  at: number,
): Partial<JobContext> =>
  eviction
    ? { eviction: { ...eviction, checkpointAskedAt: at } }
    : { departure: departure && { ...departure, isAsked: true } };

/** Called when the wait for the checkpoint is over. */
export function withCheckpointOver(context: JobContext, event: JobEvent): Partial<JobContext> {
  const { restarting, departure } = context;
  if (departure?.isAsked) return withDepartureSaved(context, departure, event);
  return {
    restarting: restarting && { ...restarting, why: `${restarting.why}; ${answerOf(context, event)}` },
  };
}
