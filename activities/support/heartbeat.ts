import { Context } from '@temporalio/activity';
import { HEARTBEAT } from '../../contracts/timing.ts';

/**
 * Heartbeats while the work runs: a single request, or the wait for the semaphore, may exceed the timeout, and only a
 * heartbeat delivers a cancellation. Work cannot hang, because every request has a time limit.
 */
export async function heartbeatWhile<T>(work: Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT.everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
