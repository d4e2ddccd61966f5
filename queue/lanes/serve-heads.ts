import type { Candidate, LaneLine } from './candidate.ts';
import { firstOf } from './first-of.ts';
import { waitsSince } from './lane-entry.ts';
import type { Block } from './pool-decision.ts';
import { capReachedBy } from './pool-lines.ts';
import type { PoolState } from './pool-state.ts';
import { addTo } from './vector.ts';
import { findVictims } from './victims.ts';

/** Serves lanes in turn, each in its order, until the first job of each cannot start. */
export function serveHeads(state: PoolState): void {
  for (let lane = nextLane(state); lane; lane = nextLane(state)) {
    const one = lane.queue[lane.next++]!;
    if (state.promised.has(one)) {
      stopForPromised(state, one);
      continue;
    }
    const block = state.blockOf(one, maySkipReservations(state, one));
    if (block) stopLane(state, one, block);
    else state.grant(one, { is: 'granted' });
  }
  state.reserveAnew();
}

/** First jobs that wait too long, then lanes that have less than they deserve: others borrow what these do not want. */
function nextLane(state: PoolState): LaneLine | undefined {
  const heads = state.lines.lanes.filter(({ head }) => !head);
  for (const lane of heads) passCapped(state, lane);
  return firstOf(
    heads.filter(({ next, queue }) => next < queue.length),
    (a, b) => {
      const [x, y] = [a.queue[a.next]!, b.queue[b.next]!];
      return compareStarving(state, x, y) || compareClaims(state, x, y) || state.compareLanes(a, b);
    },
  );
}

/** Jobs over a cap hold up nobody: the first one that is not decides when it is the turn of its lane. */
function passCapped(state: PoolState, lane: LaneLine): void {
  for (; lane.next < lane.queue.length; lane.next++) {
    const one = lane.queue[lane.next]!;
    const cap = state.promised.has(one) ? undefined : capReachedBy(one);
    if (!cap) return;
    state.keepBack(one, cap);
  }
}

function compareStarving(state: PoolState, x: Candidate, y: Candidate): number {
  const starving = Number(state.isStarving(y)) - Number(state.isStarving(x));
  return starving || (state.isStarving(x) ? waitsSince(x.entry) - waitsSince(y.entry) : 0);
}

const compareClaims = (state: PoolState, x: Candidate, y: Candidate): number =>
  Number(state.isEntitled(y)) - Number(state.isEntitled(x));

const maySkipReservations = (state: PoolState, one: Candidate): boolean =>
  state.config.backfill === 'any' || state.isStarving(one) || state.isEntitled(one);

/** The first job of a lane cannot start: makes room for it if it may, and keeps what becomes free for it. */
function stopLane(state: PoolState, one: Candidate, block: Block): void {
  one.lane.head = one;
  state.outcomes.set(one, { is: 'blocked', block });
  if (block.by !== 'claim' && makeRoomFor(state, one, block)) {
    state.promiseTo(one);
    return;
  }
  if (state.isStarving(one) && block.by !== 'limit' && block.by !== 'claim') state.strict ??= one;
  state.reserveFor(one, block);
}

/** Others stop for it already. Where that is not enough any more, e.g. since a node was lost, more of them do. */
function stopForPromised(state: PoolState, one: Candidate): void {
  one.lane.head = one;
  const places = [state.lines.place, one.lane.place];
  for (const place of places) place.takeBack(one.demand);
  const block = state.blockOf(one, true);
  if (block) makeRoomFor(state, one, block);
  for (const place of places) place.promise(one.demand);
  state.outcomes.set(one, { is: 'promised', by: state.thoseWhoStopFor(one) });
}

/** Returns whether jobs stop for it from now on. */
function makeRoomFor(state: PoolState, winner: Candidate, block: Block): boolean {
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
