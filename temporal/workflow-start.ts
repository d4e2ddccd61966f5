import type { Client } from '@temporalio/client';

/** One run of a workflow. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** How a run was started. */
export interface WorkflowStart {
  readonly input: readonly unknown[];
  /** Who started it, as that client calls itself. */
  readonly identity: string | undefined;
}

/** Returns what a run was started with, and by whom: the first event of its history has it. */
export async function workflowStart(
  { workflowService, options }: Client,
  run: WorkflowRun,
): Promise<WorkflowStart> {
  const { namespace, loadedDataConverter } = options;
  const { payloadCodecs, payloadConverter } = loadedDataConverter;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: run,
    maximumPageSize: 1,
  });
  const { input, identity } = history?.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  let payloads = input?.payloads ?? [];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return {
    input: payloads.map((payload) => payloadConverter.fromPayload(payload)),
    identity: identity || undefined,
  };
}
