import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ApplicationFailure,
  type Client,
  type WorkflowExecutionDescription,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  ASKED_SIGNAL,
  type AskedSignal,
  explainSeconds,
  INVALID_MANIFEST,
} from '../../../contracts/messages.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { ExtendRequest, Fault, HoldRequest, Intervention } from '../../../contracts/types.ts';
import { InvalidManifestError, JobEndedError, RefusedError, WorkerAwayError } from '../../errors/errors.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { retryWhileAway } from '../../servers/retry-while-away.ts';
import { summaryOf } from '../../servers/summary.ts';
import { GRPC, grpcErrorOf, isAboutNoWorkflow } from '../../servers/temporal-errors.ts';
import { failWithoutWorker } from '../../servers/worker-presence.ts';

interface InterventionRequest {
  readonly workflowId: string;
  /** Only this chain of runs, not a later job with the same workflow id. */
  readonly firstRunId?: string;
  /** Name of the Temporal update. */
  readonly update: string;
  readonly request: Intervention;
}

interface InterventionOptions extends CallOptions {
  /** How long a worker that is there may take, in milliseconds; default: the timeout, or half a minute. */
  readonly workerTimeout?: number;
  readonly describe: () => Promise<WorkflowExecutionDescription>;
}

/** A busy worker may take this long; that there is none shows earlier. */
const BUSY_WORKER_MS = 30_000;

/** Sends an update to a job and waits for its result. The `timeout` is that of the server. */
export async function intervene(
  temporal: Client,
  { workflowId, firstRunId, update, request }: InterventionRequest,
  { timeout, workerTimeout = timeout ?? BUSY_WORKER_MS, signal, describe }: InterventionOptions,
): Promise<void> {
  const until = Date.now() + workerTimeout;
  const handle = temporal.workflow.getHandle(workflowId, undefined, { firstExecutionRunId: firstRunId });
  // One id for all tries, so that Temporal does not run the update twice.
  const options = { args: [request] as [Intervention], updateId: randomUUID() };
  const ask = () => handle.executeUpdate<unknown, [Intervention]>(update, options);
  const asked = { id: options.updateId, request: update, argument: request };
  const call = () => retryUntilAccepted(ask, until);
  try {
    await retryWhileAway(temporal, { timeout, signal }, () =>
      handle.signal<[AskedSignal]>(ASKED_SIGNAL, asked),
    );
    await retryWhileAway(temporal, { timeout: until - Date.now(), signal }, () =>
      failWithoutWorker(temporal, { workflowId, call, hasFallback: false, signal }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (hasNoAnswer(error)) {
      // Without a server there is no answer either; then this throws.
      await temporal.withDeadline(Date.now() + SERVER_ANSWER_MS, describe);
      throw new WorkerAwayError(workflowId, error, { remedy: MAY_STILL_HAPPEN });
    }
    if (error instanceof WorkflowUpdateFailedError) throw refusal(error);
    throw isAboutNoWorkflow(error) ? explainNoAnswer(await describe(), error) : error;
  }
}

/** NaN and Infinity would arrive as null, as JSON has neither. */
export function checkSeconds({ seconds }: HoldRequest | ExtendRequest, least: number): void {
  const why = explainSeconds(seconds, least);
  if (why) throw new RefusedError(`${why}.`);
}

/** Temporal returns the same error for an ended workflow as for one that never existed. */
function explainNoAnswer(described: WorkflowExecutionDescription, cause: unknown): unknown {
  const { workflowId, phase, endTime } = summaryOf(described);
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
const SERVER_ANSWER_MS = 1_000;

/** Temporal keeps an undelivered update for the next worker, unless the Temporal server restarts first. */
const MAY_STILL_HAPPEN =
  'Start one: `signalbox up`. It may still carry out the request: look at the job (`signalbox get`) before you repeat it.';

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
  if (error instanceof WorkerAwayError) return true;
  return code === GRPC.deadlineExceeded || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
}
