import { pause } from './timers.ts';

/** Between two decisions that read the whole cluster. In a large one it is longer: reading takes at most a tenth of the time. */
const PACE = { leastMs: 1_000, perRead: 9, mostMs: 30_000 } as const;

/** Waits until the next decision is due, or the signal aborts. `startedAt`: when the last one began, in epoch milliseconds. */
export const pauseAfterReading = (startedAt: number, signal: AbortSignal): Promise<void> =>
  pause(pauseMsAfter(Date.now() - startedAt), signal);

/** Returns how long to wait after a decision, or another reading, that took so long. */
export const pauseMsAfter = (
  readMs: number,
  leastMs: number = PACE.leastMs,
  mostMs: number = PACE.mostMs,
): number => Math.min(Math.max(leastMs, PACE.perRead * readMs), mostMs);
