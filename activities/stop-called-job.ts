import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { StopCalledJobRequest } from '../contracts/calls-of-workflows.ts';
import { UPDATES } from '../contracts/messages.ts';
import type { StopRequest } from '../contracts/types.ts';
import type { Dependencies } from './support/dependencies.ts';

/**
 * Stops a job for the workflow that has started it. A job whose policy has no checkpoint is stopped without one. Does
 * nothing to a job that has ended, so it may run twice.
 */
export async function stopCalledJob(
  { temporal }: Pick<Dependencies, 'temporal'>,
  { workflowId, firstRunId, request }: StopCalledJobRequest,
): Promise<void> {
  const job = temporal.workflow.getHandle(workflowId, undefined, { firstExecutionRunId: firstRunId });
  if (request.checkpoint && (await ask(job, request)) !== 'refused') return;
  await ask(job, { ...request, checkpoint: false });
}

async function ask(job: ReturnType<Client['workflow']['getHandle']>, request: StopRequest) {
  try {
    await job.executeUpdate(UPDATES.stop, { args: [request] });
    return 'requested';
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return 'refused';
    if (error instanceof WorkflowNotFoundError) return 'ended';
    throw error;
  }
}
