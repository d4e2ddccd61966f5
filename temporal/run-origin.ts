import type { Client } from '@temporalio/client';
import type { WorkflowRun } from './workflow-start.ts';

/** Where a run belongs. */
interface RunOrigin {
  /** The first run of its chain. */
  readonly firstRunId: string;
  /** The run that replaced it, if the workflow was reset. */
  readonly resetRunId?: string;
}

/** Asks Temporal where a run belongs. Decodes nothing: any client of Temporal can write a memo. */
export async function originOf(
  { workflowService, options: { namespace } }: Pick<Client, 'workflowService' | 'options'>,
  { workflowId, runId }: WorkflowRun,
): Promise<RunOrigin> {
  const execution = { workflowId, runId };
  const { workflowExecutionInfo: info, workflowExtendedInfo: more } =
    await workflowService.describeWorkflowExecution({ namespace, execution });
  const { resetRunId } = more ?? {};
  return { firstRunId: info?.firstRunId || runId, ...(resetRunId ? { resetRunId } : {}) };
}
