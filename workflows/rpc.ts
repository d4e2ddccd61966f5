import { ActivityFailure, ApplicationFailure, proxyActivities, TimeoutFailure } from '@temporalio/workflow';
import type { RpcActivities, RpcAnswer, RpcRequest } from '../contracts/rpc.ts';
import { HEARTBEAT } from '../contracts/timing.ts';
import { withoutStack } from './job-failures.ts';

/** A client waits for it: a server that stays unavailable is an answer, too. */
const { answerRpc } = proxyActivities<RpcActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: HEARTBEAT.timeoutMs,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '5s', maximumAttempts: 5 },
});

/**
 * Answers what a client in another language asks of the engine. It fails as the activity did: the type is the code of the
 * TypeScript client's error.
 */
export async function rpc(request: RpcRequest): Promise<RpcAnswer> {
  try {
    return await answerRpc(request);
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    const message = 'No worker answered in time. The workers may be busy, or have been stopped.';
    return withoutStack(ApplicationFailure.nonRetryable(message, 'WorkerAway', {}));
  }
  return cause instanceof ApplicationFailure ? cause : error;
}
