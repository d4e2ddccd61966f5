import type { Client } from '@temporalio/client';
import { decodePayloads } from './payloads.ts';

/** One run of a workflow. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** How a run was started. */
interface WorkflowStart {
  readonly input: readonly unknown[];
  /** Who started it, as that client calls itself. */
  readonly identity: string | undefined;
  /** The first run of its chain. */
  readonly firstRunId: string;
}

/** Returns what a run was started with, and by whom: the first event of its history has it. */
export async function workflowStart(
  { workflowService, options }: Client,
  run: WorkflowRun,
): Promise<WorkflowStart> {
  const { namespace, loadedDataConverter } = options;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: run,
    maximumPageSize: 1,
  });
  const { input, identity, firstExecutionRunId } =
    history?.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  return {
    input: await decodePayloads(loadedDataConverter, input?.payloads),
    identity: identity || undefined,
    firstRunId: firstExecutionRunId || run.runId,
  };
}
