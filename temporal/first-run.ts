import type { Client } from '@temporalio/client';
import type { WorkflowRun } from './workflow-start.ts';

/** Returns the first run of the chain that a run belongs to. Decodes nothing: a memo may be anybody's. */
export async function firstRunOf(
  { workflowService, options: { namespace } }: Pick<Client, 'workflowService' | 'options'>,
  { workflowId, runId }: WorkflowRun,
): Promise<string> {
  const execution = { workflowId, runId };
  const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution({ namespace, execution });
  return workflowExecutionInfo?.firstRunId || runId;
}
