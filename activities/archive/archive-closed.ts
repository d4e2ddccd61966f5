import { Context } from '@temporalio/activity';
import { type ArchiverBeat, FIRST_BEAT } from '../../contracts/archiver.ts';
import { BackOff } from '../../language/back-off.ts';
import { pause } from '../../language/timers.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { Shift, type ShiftMemory } from './shift.ts';

/** How long one activity looks for ended jobs: the archiver's history grows by some events for each. */
const SHIFT_MS = 10 * 60_000;
const HEARTBEAT_MS = 5_000;
/** Between two looks for ended jobs, each a query of the visibility store. */
const POLL_MS = 5_000;
const PAUSE = { firstMs: 2_000, mostMs: 300_000 };

/**
 * Archives jobs as they end, for some minutes. Each heartbeat has its position, from which the next activity continues,
 * on any worker. A store that does not work is retried without limit. Idempotent by the archives' keys.
 */
export async function archiveClosed(
  dependencies: ArchiverDependencies,
  memory: ShiftMemory,
  before: ArchiverBeat | undefined,
): Promise<ArchiverBeat> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, dependencies.stopping]);
  const last = context.info.heartbeatDetails as ArchiverBeat | undefined;
  const shift = new Shift(dependencies, { memory, signal, last: last ?? before ?? FIRST_BEAT });
  const tell = () => {
    const beat = shift.beat();
    context.heartbeat(beat);
    dependencies.observe(beat);
  };
  const timer = setInterval(tell, HEARTBEAT_MS);
  const backOff = new BackOff(PAUSE);
  const until = performance.now() + SHIFT_MS;
  try {
    do {
      await shift.round();
      tell();
      if (!shift.isStuck) backOff.reset();
      await pause(shift.isStuck ? backOff.next() : POLL_MS, signal);
    } while (performance.now() < until && !signal.aborted);
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return shift.beat();
}
