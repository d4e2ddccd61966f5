import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

/** A run, or the last one under the workflow id; undefined where Temporal knows none, or not any more. */
export async function findWorkflow(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflowId, runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a run goes back to this first one; what one of them does not say is taken for the same. */
export function beganWith({ raw }: WorkflowExecutionDescription, firstRunId: string | undefined): boolean {
  const first = raw.workflowExecutionInfo?.firstRunId;
  return !first || !firstRunId || first === firstRunId;
}
