import { backfill } from './backfill.ts';
import type { PoolDecision } from './pool-decision.ts';
import type { PoolLines } from './pool-lines.ts';
import { type Given, PoolState } from './pool-state.ts';
import { serveHeads } from './serve-heads.ts';
import { serveWhomOthersYieldTo } from './serve-owed.ts';

/** Decides who gets what of one pool. */
export function decidePool(lines: PoolLines, given: Given): PoolDecision {
  const state = new PoolState(lines, given);
  serveWhomOthersYieldTo(state);
  serveHeads(state);
  backfill(state);
  return state;
}
