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
    if (!isUnanswered(error)) throw error;
    throw isRefused(error)
      ? new RefusedQueryError(job.workflowId, error)
      : new WorkerAwayError(job.workflowId, error);
  }
}

/** Temporal asks no worker from the third try of a workflow task on, nor ever if the workflow was closed meanwhile. */
const isRefused = (error: unknown): boolean =>
  /workflow task in failed state/i.test(grpcErrorOf(error)?.details ?? '');

/** Temporal asks no worker, though one may be there. If the run is closed, that stays so. */
export class RefusedQueryError extends WorkerAwayError {
  constructor(workflowId: string, cause: unknown) {
    super(workflowId, cause, {
      message: `Temporal asks no worker about ${workflowId}: its last workflow task failed or timed out again and again.`,
      remedy:
        'The logs of the workers and the Temporal UI say why. `signalbox history` also replays its histories.',
    });
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
