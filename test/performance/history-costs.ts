import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { LANES } from './job-start.ts';

/** What workflows have cost so far, in the mean. */
export interface HistoryCosts {
  readonly events: number;
  readonly workflowTasks: number;
  readonly signals: number;
  /** By activity. */
  readonly activities: Readonly<Record<string, number>>;
}

export async function historyCosts(temporal: Client, workflowIds: readonly string[]): Promise<HistoryCosts> {
  const sums = { events: 0, workflowTasks: 0, signals: 0 };
  const activities: Record<string, number> = {};
  await inParallel(workflowIds, LANES, async (workflowId) => {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    for (const event of events ?? []) {
      sums.events++;
      if (event.workflowTaskCompletedEventAttributes) sums.workflowTasks++;
      if (event.workflowExecutionSignaledEventAttributes) sums.signals++;
      const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
      if (activity) activities[activity] = (activities[activity] ?? 0) + 1;
    }
  });
  const inMean = (sum: number) => sum / workflowIds.length;
  return {
    ...{
      events: inMean(sums.events),
      workflowTasks: inMean(sums.workflowTasks),
      signals: inMean(sums.signals),
    },
    activities: Object.fromEntries(Object.entries(activities).map(([name, sum]) => [name, inMean(sum)])),
  };
}
