import { Context } from '@temporalio/activity';
import type { NotifierBeat } from '../contracts/notifications.ts';
import { NOTIFIER_HEARTBEAT } from '../contracts/timing.ts';
import { pauseMsAfter } from '../language/pause-after-reading.ts';
import { pause } from '../language/timers.ts';
import { temporalClock } from '../temporal/temporal-clock.ts';
import { type NewsMemory, NewsSession, type NotifierHost } from './news-session.ts';

/** How long one activity looks: the history of the notifier grows by some events for each. */
const SESSION_MS = 10 * 60_000;
/**
 * Between two looks at the file of routes. Between two looks for news, too, unless one takes long: they take a tenth of the time
 * at most.
 */
const PAUSE_MS = 2_000;

/**
 * Looks for news, for some minutes. Each heartbeat says how far it is; the next activity, of any process, goes on from there.
 * Idempotent by the ids of the messages.
 */
export async function lookForNews(
  host: NotifierHost,
  { memory, stopping }: { readonly memory: NewsMemory; readonly stopping: AbortSignal },
  before: NotifierBeat | undefined,
): Promise<NotifierBeat> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, stopping]);
  const last = (context.info.heartbeatDetails as NotifierBeat | undefined) ?? before;
  const now = await temporalClock(host.temporal, context.info);
  const session = new NewsSession(host, { memory, last, now });
  const timer = setInterval(() => context.heartbeat(session.beat()), NOTIFIER_HEARTBEAT.everyMs);
  const until = performance.now() + SESSION_MS;
  try {
    await session.readRoutes();
    do {
      const begun = performance.now();
      await session.look();
      context.heartbeat(session.beat());
      const looked = performance.now();
      const next = looked + pauseMsAfter(looked - begun, 0, Number.POSITIVE_INFINITY);
      // Other routes are not kept waiting.
      do await pause(PAUSE_MS, signal);
      while (!(await session.readRoutes()) && performance.now() < next && !signal.aborted);
    } while (performance.now() < until && !signal.aborted);
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return session.beat();
}
