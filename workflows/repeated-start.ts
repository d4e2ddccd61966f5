import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { ReasonCode } from '../contracts/reasons.ts';

const REASON: ReasonCode = 'RepeatedByTemporal';

/**
 * Throws if Temporal repeats the workflow by itself: all runs would be one job to the watcher, the record and the clients,
 * which know a job by the first run of its workflow.
 */
export function refuseRepeatedStart(): void {
  const { namespace, workflowId, cronSchedule, attempt } = workflowInfo();
  if (cronSchedule) {
    const end = `temporal workflow terminate --namespace ${namespace} --workflow-id ${workflowId}`;
    throw repeatedStartFailure(
      `the workflow has the cron schedule ${JSON.stringify(cronSchedule)}, and each run fails until it is terminated: \`${end}\`; \`signalbox schedule create\` starts jobs by the clock`,
    );
  }
  if (attempt > 1)
    throw repeatedStartFailure(`this is attempt ${attempt} of the workflow by its retry policy`);
}

const repeatedStartFailure = (why: string) =>
  ApplicationFailure.nonRetryable(`Temporal repeats this workflow by itself: ${why}`, REASON);
