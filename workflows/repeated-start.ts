import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { ReasonCode } from '../contracts/reasons.ts';

const REASON: ReasonCode = 'RepeatedByTemporal';

/**
 * Throws if Temporal repeats the workflow by itself: all runs would be one job to the watcher, the record and the clients,
 * which know a job by the first run of its workflow.
 */
export function refuseRepeatedStart(): void {
  const { cronSchedule, attempt } = workflowInfo();
  if (cronSchedule) throw refused(`the workflow has the cron schedule ${JSON.stringify(cronSchedule)}`);
  if (attempt > 1) throw refused(`this is attempt ${attempt} of the workflow by its retry policy`);
}

const refused = (why: string) =>
  ApplicationFailure.nonRetryable(`Temporal repeats this job by itself: ${why}`, REASON);
