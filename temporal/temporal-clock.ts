import type { Info } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { msOf } from './event-time.ts';

/**
 * Returns Temporal's time in epoch milliseconds. The times of jobs and of their retention are Temporal's, and the clock of
 * a worker's machine may be wrong by hours.
 */
export type TemporalClock = () => number;

/** Of an activity: what names it, and when its attempt was scheduled. */
type StartedActivity = Pick<Info, 'activityId' | 'workflowExecution' | 'currentAttemptScheduledTimestampMs'>;

/** Asks when Temporal started this activity, and counts on from there: `elapsed` is a clock that does not jump. */
export async function temporalClock(
  temporal: Client,
  activity: StartedActivity,
  elapsed: () => number = () => performance.now(),
): Promise<TemporalClock> {
  const begun = elapsed();
  const started = (await startOf(temporal, activity)) ?? activity.currentAttemptScheduledTimestampMs;
  return () => started + elapsed() - begun;
}

async function startOf(
  temporal: Client,
  { activityId, workflowExecution }: StartedActivity,
): Promise<number | undefined> {
  if (!workflowExecution) return undefined;
  const { workflowId, runId } = workflowExecution;
  const { raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
  const found = raw.pendingActivities?.find((pending) => pending.activityId === activityId);
  return found?.lastStartedTime ? msOf(found.lastStartedTime) : undefined;
}
