import type { Candidate, LaneLine } from './candidate.ts';
import { firstOf } from './first-of.ts';
import type { Backfilled } from './lanes-decision.ts';
import type { Block } from './pool-decision.ts';
import { capReachedBy } from './pool-lines.ts';
import type { PoolState } from './pool-state.ts';
import { delays } from './reservation.ts';

/** Starts jobs behind the first ones, as far as these do not start later for it. */
export function backfill(state: PoolState): void {
  const tried = new Map<string, Block>();
  const policy = state.config.backfill;
  for (let lane = nextBehind(state); lane; lane = nextBehind(state)) {
    const head = lane.head!;
    const one = lane.queue[lane.next++]!;
    if (state.promised.has(one)) continue;
    const cap = capReachedBy(one);
    if (cap) {
      state.keepBack(one, cap);
      continue;
    }
    if (policy === 'none') {
      state.outcomes.set(one, { is: 'behind', head });
      continue;
    }
    const key = shapeOf(one);
    const block = tried.get(key) ?? state.blockOf(one, policy === 'any');
    if (block) {
      if (block.by !== 'claim') tried.set(key, block);
      if (state.isStarving(one)) for (const { neededBy } of one.caps) neededBy.push(one);
      state.outcomes.set(one, { is: 'behind', head, block });
    } else
      state.grant(one, {
        is: 'granted',
        backfilled: { past: head.entry.uid, because: whyPast(state, one) },
      });
  }
}

function nextBehind(state: PoolState): LaneLine | undefined {
  const open = state.lines.lanes.filter(({ next, queue }) => next < queue.length);
  return firstOf(open, (a, b) => state.compareLanes(a, b));
}

/** Jobs of one shape have the same chances: it is tried once, as what is free only shrinks. */
const shapeOf = ({ lane, demand, end, caps }: Candidate): string =>
  `${lane.name} ${demand.join()} ${end ?? ''} ${caps.map(({ of }) => of).join()}`;

function whyPast({ reservations }: PoolState, one: Candidate): Backfilled['because'] {
  const own = reservations.find(({ holder }) => holder === one.lane.head);
  if (own && one.end !== undefined && own.start !== undefined && one.end <= own.start) return 'endsBefore';
  return own && delays(one, own) ? 'any' : 'spare';
}
