import { compareText } from '../../language/compare-text.ts';
import { backfill } from './backfill.ts';
import { isOwed } from './lane-entry.ts';
import type { PoolDecision } from './pool-decision.ts';
import { capReachedBy, type PoolLines } from './pool-lines.ts';
import { type Given, PoolState } from './pool-state.ts';
import { serveHeads } from './serve-heads.ts';

/** Decides who gets what of one pool. */
export function decidePool(lines: PoolLines, given: Given): PoolDecision {
  const state = new PoolState(lines, given);
  serveWhomOthersYieldTo(state);
  serveHeads(state);
  backfill(state);
  return state;
}

/** What was freed for a job is not for another job, whatever the order has become. */
function serveWhomOthersYieldTo(state: PoolState): void {
  const yielders = yieldersOf(state);
  const winners = state.waiting
    .filter((one) => yielders.has(one.entry.uid) && !state.barred.has(one))
    .sort((a, b) => a.entry.since - b.entry.since || compareText(a.entry.uid, b.entry.uid));
  for (const winner of winners) {
    const by = yielders.get(winner.entry.uid)!;
    if (capReachedBy(winner)) continue;
    if (state.hasRoom(winner)) state.grant(winner, { is: 'granted', after: by });
    else state.promiseTo(winner);
  }
  for (const lane of state.lines.lanes)
    lane.queue = lane.queue.filter((one) => state.outcomes.get(one)?.is !== 'granted');
}

/** By whom others give back, or gave back: their uids. */
function yieldersOf({ running, waiting, lines }: PoolState): Map<string, string[]> {
  const all = new Map<string, string[]>();
  const entries = new Map(waiting.map(({ entry }) => [entry.uid, entry]));
  for (const { entry } of [...running, ...waiting, ...lines.excluded.keys()]) {
    const winner = entry.yieldsTo === undefined ? undefined : entries.get(entry.yieldsTo);
    if (!winner || !isOwed(winner, entry)) continue;
    all.set(winner.uid, [...(all.get(winner.uid) ?? []), entry.uid]);
  }
  return all;
}
