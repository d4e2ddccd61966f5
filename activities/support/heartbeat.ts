import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeout in workflows/activity-options.ts. */
const EVERY_MS = 2_500;

/**
 * Heartbeats while the work runs: a single request, or the wait for the semaphore, may exceed the timeout, and only a
 * heartbeat delivers a cancellation. Work cannot hang, because every request has a time limit.
 */
export async function heartbeatWhile<T>(work: Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
