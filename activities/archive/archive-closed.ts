import { Context } from '@temporalio/activity';
import { type ArchiverBeat, FIRST_BEAT } from '../../contracts/archiver.ts';
import { ARCHIVER_HEARTBEAT } from '../../contracts/timing.ts';
import { BackOff } from '../../language/back-off.ts';
import { pause } from '../../language/timers.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { type ArchiverCache, ArchiverSession } from './archiver-session.ts';

/** How long one activity looks for ended jobs: the archiver's history grows by some events for each. */
const SESSION_MS = 10 * 60_000;
/** Between two looks for ended jobs, each a query of the visibility store. */
const POLL_MS = 5_000;
const PAUSE = { firstMs: 2_000, mostMs: 300_000 };

/**
 * Archives jobs as they end, for some minutes. Each heartbeat has its position, from which the next activity continues,
 * on any worker. A store that does not work is retried without limit. Idempotent by the archives' keys.
 */
export async function archiveClosed(
  dependencies: ArchiverDependencies,
  cache: ArchiverCache,
  before: ArchiverBeat | undefined,
): Promise<ArchiverBeat> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, dependencies.stopping]);
  const last = context.info.heartbeatDetails as ArchiverBeat | undefined;
  const session = new ArchiverSession(dependencies, { cache, signal, last: last ?? before ?? FIRST_BEAT });
  const report = () => {
    const beat = session.beat();
    context.heartbeat(beat);
    dependencies.observe(beat);
  };
  const timer = setInterval(report, ARCHIVER_HEARTBEAT.everyMs);
  const backOff = new BackOff(PAUSE);
  const until = performance.now() + SESSION_MS;
  try {
    do {
      await session.round();
      report();
      if (!session.isStuck) backOff.reset();
      await pause(session.isStuck ? backOff.next() : POLL_MS, signal);
    } while (performance.now() < until && !signal.aborted);
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return session.beat();
}
