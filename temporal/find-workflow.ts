import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

/** Returns a run, or the last one of the workflow id; undefined if Temporal knows none, or no longer does. */
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

/** Whether a run belongs to the chain of this first run; true if either id is unknown. */
export function hasFirstRun({ raw }: WorkflowExecutionDescription, firstRunId: string | undefined): boolean {
  const first = raw.workflowExecutionInfo?.firstRunId;
  return !first || !firstRunId || first === firstRunId;
}

/** Returns the first run of a chain, which identifies a job. */
export const firstRunIdOf = ({ raw, runId }: WorkflowExecutionDescription): string =>
  raw.workflowExecutionInfo?.firstRunId || runId;
