import type { Client } from '@temporalio/client';

/** One run of a workflow that goes on in others. */
export interface RunSize {
  readonly runId: string;
  readonly events: number;
  readonly bytes: number;
}

/** All runs of a workflow that has ended, from the first on. */
export async function runsOf(temporal: Client, workflowId: string, firstRunId: string): Promise<RunSize[]> {
  const runs: RunSize[] = [];
  for (
    let runId: string | undefined = firstRunId;
    runId;
    runId = await nextRunOf(temporal, workflowId, runId)
  ) {
    const described = await temporal.workflow.getHandle(workflowId, runId).describe();
    runs.push({ runId, events: described.historyLength, bytes: described.historySize ?? 0 });
  }
  return runs;
}

async function nextRunOf(temporal: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await temporal.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: temporal.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const last = history?.events?.[0];
  return last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;
}
