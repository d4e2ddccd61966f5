import { type Client, QueryNotRegisteredError } from '@temporalio/client';
import { STATUS_QUERY } from '../contracts/messages.ts';
import type { JobStatus } from '../contracts/status.ts';
import { WorkerAwayError } from './errors.ts';
import { GRPC, grpcErrorOf } from './temporal-errors.ts';

/** Queries the workflow through a worker; `timeoutMs` is how long the worker has to answer. */
export async function askStatus(
  client: Client,
  job: { readonly workflowId: string; readonly runId?: string },
  timeoutMs: number,
): Promise<JobStatus> {
  const handle = client.workflow.getHandle(job.workflowId, job.runId);
  try {
    return await client.withDeadline(Date.now() + timeoutMs, () => handle.query<JobStatus>(STATUS_QUERY));
  } catch (error) {
    throw isUnanswered(error) ? new WorkerAwayError(job.workflowId, error) : error;
  }
}

/**
 * Temporal itself returns these errors if no worker answers: none has polled for a while (failedPrecondition), none
 * took the query in time (deadlineExceeded), or the worker that took it runs other code.
 */
function isUnanswered(error: unknown): boolean {
  const code = grpcErrorOf(error)?.code;
  return (
    code === GRPC.failedPrecondition ||
    code === GRPC.deadlineExceeded ||
    code === GRPC.cancelled ||
    error instanceof QueryNotRegisteredError
  );
}
