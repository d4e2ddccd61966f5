import { setTimeout as delay } from 'node:timers/promises';
import type { EngineProcess } from './engine-process.ts';
import { IncompleteError } from './milestone.ts';

const QUIET_MS = 10_000;
const LIMIT_MS = 600_000;

/** How many digests a watcher has sent since its process began. */
export const digestsOf = (watcher: EngineProcess): Promise<number> =>
  watcher.metric('signalbox_watcher_signals_total{result="delivered"}');

/** Resolves when a watcher has had nothing to tell for ten seconds. */
export async function untilQuiet(watcher: EngineProcess): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  let sent = -1;
  while (performance.now() < until) {
    const before = sent;
    sent = await digestsOf(watcher);
    if (sent === before) return;
    await delay(QUIET_MS);
  }
  throw new IncompleteError(`expected within ${LIMIT_MS / 1000} s: a watcher with nothing to tell`);
}
