import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';

const POLL_MS = { first: 50, most: 1_000 };

/**
 * Waits until nothing is left of what was deleted, by asking the API server, who alone knows. Gives up after `limitMs`:
 * false then. Heartbeats meanwhile, and ends when the activity is cancelled.
 */
export async function awaitGone(
  isGone: () => Promise<boolean>,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const context = Context.current();
  const until = Date.now() + limitMs;
  for (let pause = POLL_MS.first; !(await isGone()); pause = Math.min(pause * 2, POLL_MS.most)) {
    if (Date.now() > until) return false;
    context.heartbeat('waiting for deletions');
    await delay(pause, undefined, { signal: context.cancellationSignal });
  }
  return true;
}
