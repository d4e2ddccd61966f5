import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ApplicationFailure,
  type Client,
  type WorkflowHandle,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { Fault } from '../contracts/faults.ts';
import {
  type ExtendRequest,
  explainSeconds,
  type HoldRequest,
  INVALID_MANIFEST,
  type Intervention,
} from '../contracts/messages.ts';
import { isFinal } from '../contracts/status.ts';
import { InvalidManifestError, JobEndedError, RefusedError, WorkerAwayError } from './errors.ts';
import { summaryOf } from './summary.ts';
import { GRPC, grpcErrorOf, isAboutNoWorkflow } from './temporal-errors.ts';

export interface InterventionRequest {
  readonly workflowId: string;
  /** Name of the Temporal update. */
  readonly update: string;
  readonly request: Intervention;
}

/** Sends an update to a job and waits at most `answerMs` for its result. */
export async function intervene(
  temporal: Client,
  intervention: InterventionRequest,
  answerMs: number,
): Promise<void> {
  const until = Date.now() + answerMs;
  const handle = temporal.workflow.getHandle(intervention.workflowId);
  // One id for all tries, so that Temporal does not run the update twice.
  const options = { args: [intervention.request] as [Intervention], updateId: randomUUID() };
  const ask = () => handle.executeUpdate<unknown, [Intervention]>(intervention.update, options);
  try {
    await temporal.withDeadline(until, () => retryUntilAccepted(ask, until));
  } catch (error) {
    if (hasNoAnswer(error)) throw new WorkerAwayError(intervention.workflowId, error, MAY_STILL_HAPPEN);
    if (error instanceof WorkflowUpdateFailedError) throw refusal(error);
    throw isAboutNoWorkflow(error) ? await explainNoAnswer(handle, error) : error;
  }
}

/** NaN and Infinity would arrive as null, as JSON has neither. */
export function checkSeconds({ seconds }: HoldRequest | ExtendRequest, least: number): void {
  const why = explainSeconds(seconds, least);
  if (why) throw new RefusedError(`${why}.`);
}

/** Temporal returns the same error for an ended workflow as for one that never existed. */
async function explainNoAnswer(handle: WorkflowHandle, cause: unknown): Promise<unknown> {
  const { workflowId, phase, endTime } = summaryOf(await handle.describe());
  return endTime && isFinal(phase)
    ? new JobEndedError({ workflowId, phase, endedAt: endTime }, cause)
    : cause;
}

/** Retries on FAILED_PRECONDITION: a workflow that continues as new may have to repeat its last workflow task. */
async function retryUntilAccepted(ask: () => Promise<unknown>, until: number): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (grpcErrorOf(error)?.code !== GRPC.failedPrecondition || Date.now() + PAUSE_MS > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}

const PAUSE_MS = 100;

/** Temporal keeps an undelivered update for the next worker, unless the Temporal server restarts first. */
const MAY_STILL_HAPPEN =
  'It may still carry out the request: look at the job (`signalbox get`) before you repeat it.';

/** Converts the job's rejection of a request. */
function refusal(error: WorkflowUpdateFailedError): InvalidManifestError | RefusedError {
  const { cause } = error;
  if (cause instanceof ApplicationFailure && cause.type === INVALID_MANIFEST) {
    const faults = cause.details?.[0] as readonly Fault[] | undefined;
    return new InvalidManifestError(faults ?? [], [], { of: 'change', cause: error });
  }
  const sentence = (cause?.message ?? error.message).replace(/\.$/, '');
  return new RefusedError(`The job refuses: ${sentence}.`, { cause: error });
}

function hasNoAnswer(error: unknown): boolean {
  const code = grpcErrorOf(error)?.code;
  const name = (error as Error).name;
  return code === GRPC.deadlineExceeded || name === 'WorkflowUpdateRPCTimeoutOrCancelledError';
}
