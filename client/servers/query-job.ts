import { type Client, QueryNotRegisteredError } from '@temporalio/client';
import { WorkerAwayError } from '../errors/errors.ts';
import { GRPC, grpcErrorOf } from './temporal-errors.ts';

/** Asks one run, or the last one, a question that only a worker can answer; it has `timeoutMs` for that. */
export async function queryJob<Answer>(
  client: Client,
  job: { readonly workflowId: string; readonly runId?: string },
  question: { readonly name: string; readonly argument?: unknown; readonly timeoutMs: number },
): Promise<Answer> {
  const { name, argument, timeoutMs } = question;
  const handle = client.workflow.getHandle(job.workflowId, job.runId);
  const args = argument === undefined ? [] : [argument];
  try {
    return await client.withDeadline(Date.now() + timeoutMs, () =>
      handle.query<Answer, unknown[]>(name, ...args),
    );
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
