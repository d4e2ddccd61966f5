import type { Client } from '@temporalio/client';

/** One run of a workflow. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** Returns what a run was started with: the first event of its history has it. */
export async function workflowInput(
  { workflowService, options }: Client,
  run: WorkflowRun,
): Promise<unknown[]> {
  const { namespace, loadedDataConverter } = options;
  const { payloadCodecs, payloadConverter } = loadedDataConverter;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: run,
    maximumPageSize: 1,
  });
  let payloads = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads.map((payload) => payloadConverter.fromPayload(payload));
}
