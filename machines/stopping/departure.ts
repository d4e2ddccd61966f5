import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { departureAt } from '../nodes/leaving-nodes.ts';
import { endangeredLostBy } from '../nodes/lost-nodes.ts';
import { isCheckpointOver } from './checkpoint.ts';
import { answerOf } from './checkpoint-result.ts';

/** A job leaves a node that is not well or goes away: it writes a checkpoint first, if its policy says so. */

/** Whether there is something to save, and time for it: not if other nodes are lost at the same time. */
export const savesBeforeDeparture = (context: JobContext, at: number): boolean =>
  departureAt(context, at) !== undefined &&
  endangeredLostBy(context, at).length === 0 &&
  !isCheckpointOver(context);

export const withDeparture = (context: JobContext, at: number): Partial<JobContext> => ({
  departure: departureAt(context, at),
});

/** The wait for the checkpoint is over: the pods leave. */
export function withDepartureSaved(
  context: JobContext,
  departure: NonNullable<JobContext['departure']>,
  event: JobEvent,
): Partial<JobContext> {
  const { isAsked: _, ...others } = departure;
  return {
    lost: [...new Set([...(context.lost ?? []), ...departure.uids])],
    departure: { ...others, answer: answerOf(context, event) },
  };
}

/** What the sources said is over before a pod was deleted: if they say it again, its time begins again. */
export function withoutDeparture(context: JobContext): Partial<JobContext> {
  const { onSick, onLeaving } = jobPolicy(context).nodes;
  if ((onSick ?? onLeaving) === undefined) return {};
  const endangered = new Set(context.digest?.endangered?.map(({ uid }) => uid));
  const lost = context.lost?.filter((uid) => endangered.has(uid)) ?? [];
  return { departure: undefined, lost: lost.length > 0 ? lost : undefined };
}
