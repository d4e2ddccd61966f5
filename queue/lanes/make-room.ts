import type { Candidate } from './candidate.ts';
import type { Block } from './pool-decision.ts';
import type { PoolState } from './pool-state.ts';
import { addTo } from './vector.ts';
import { findVictims } from './victims.ts';

/** Returns whether jobs stop for it from now on. */
export function makeRoomFor(state: PoolState, winner: Candidate, block: Block): boolean {
  const { settings, place } = winner.lane;
  const isEntitled = state.isEntitled(winner);
  const mayReclaim = settings.reclaim === 'borrowed' && isEntitled && block.by !== 'limit';
  const mayPreempt = settings.preempt === 'lower';
  if (state.strict || (!mayReclaim && !mayPreempt)) return false;
  // What others wait for is not for a job that borrows, whichever job stops for it.
  const mayOnlySwap = !isEntitled && state.reservations.some(({ keepsPool }) => keepsPool);
  const found = findVictims(winner, {
    ...{ at: state.at, starveAfterMs: state.config.starveAfterMs, total: state.lines.total },
    ...{ running: state.running, stopping: state.stopping, mayReclaim, mayPreempt },
    mayOnlySwap,
    inPool: mayOnlySwap ? freedFor(state, winner) : state.lines.place.basis,
    inLane: place.basis,
  });
  for (const victim of found) state.stop({ ...victim, winner });
  return found.length > 0;
}

function freedFor(state: PoolState, one: Candidate): bigint[] {
  const freed = one.demand.map(() => 0n);
  for (const { demand } of state.thoseWhoStopFor(one)) addTo(freed, demand);
  return freed;
}
