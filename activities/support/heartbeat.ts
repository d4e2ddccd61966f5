import { Context } from '@temporalio/activity';

/** Well below the heartbeat time-out of workflows/activity-options.ts. */
const EVERY_MS = 2_500;

/**
 * Heartbeats for as long as the work takes: a single request, or the wait for a turn, may take longer than the
 * time-out, and each heartbeat is what tells of a cancellation. Work cannot hang, as every request has a time limit.
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
