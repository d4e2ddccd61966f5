import type { Candidate, LaneLine } from './candidate.ts';
import { isYielding, lostMs, waitsSince } from './lane-entry.ts';
import { addTo, dominantShare, fitsInto, takeFrom, type Vector } from './vector.ts';

/** Who stops for a job. */
export interface Victim {
  readonly victim: Candidate;
  readonly reason: 'Reclaimed' | 'Preempted';
}

interface Search {
  readonly at: number;
  readonly starveAfterMs: number;
  /** Those that start now among them: they are no victims. */
  readonly running: readonly Candidate[];
  /** Those that are to stop since this decision. */
  readonly stopping: ReadonlySet<Candidate>;
  readonly total: Vector;
  /** What the job would have of the pool, and of the limit of its lane, without victims. */
  readonly inPool: Vector;
  readonly inLane: Vector;
  readonly mayReclaim: boolean;
  readonly mayPreempt: boolean;
  /** Jobs of other lanes wait for what they have: only those may stop that have it as long as the winner would. */
  readonly mayOnlySwap: boolean;
}

/**
 * Returns whose room a job may have so that it fits: jobs as a whole, those that lose the least work first, and none that is
 * not needed. Empty if all of them would not be enough.
 */
export function findVictims(winner: Candidate, search: Search): readonly Victim[] {
  const chosen: Victim[] = [];
  const excess = excesses(search);
  const inPool = [...search.inPool];
  const inLane = [...search.inLane];
  for (const one of cheapestFirst(winner, search)) {
    if (isEnough(winner, inPool, inLane)) break;
    const { victim, reason } = one;
    if (!helps(winner, victim, inPool, inLane)) continue;
    if (reason === 'Reclaimed' && !isAbove(excess.get(victim.lane)!, winner, inPool)) continue;
    chosen.push(one);
    addTo(inPool, victim.demand);
    if (victim.lane === winner.lane) addTo(inLane, victim.demand);
    takeFrom(excess.get(victim.lane)!, victim.demand);
  }
  return isEnough(winner, inPool, inLane) ? withoutNeedless(winner, chosen, search) : [];
}

function cheapestFirst(winner: Candidate, search: Search): Victim[] {
  const { at, total, running, stopping } = search;
  const cost = new Map<Candidate, number>();
  for (const one of running) cost.set(one, lostMs(one.entry, at) * dominantShare(one.demand, total));
  return running
    .filter((one) => mayStop(one) && !stopping.has(one))
    .flatMap((victim): Victim[] => {
      const reason = reasonFor(winner, victim, search);
      return reason ? [{ victim, reason }] : [];
    })
    .sort(
      ({ victim: a }, { victim: b }) =>
        cost.get(a)! - cost.get(b)! ||
        b.entry.granted!.at - a.entry.granted!.at ||
        (a.entry.uid < b.entry.uid ? -1 : 1),
    );
}

/** What a lane with a fault deserves may be one. */
const mayStop = ({ entry, lane }: Candidate): boolean =>
  entry.granted !== undefined && !entry.hasEnded && !isYielding(entry) && lane.settings.fault === undefined;

function reasonFor(winner: Candidate, victim: Candidate, search: Search): Victim['reason'] | undefined {
  if (victim.lane === winner.lane) {
    const isLower = victim.entry.priority < winner.entry.priority;
    const isSwap = !search.mayOnlySwap || (endsAsLate(victim, winner) && !hasPassed(victim, winner));
    return search.mayPreempt && isLower && isSwap ? 'Preempted' : undefined;
  }
  return search.mayReclaim && !hasStarved(victim, search.starveAfterMs) ? 'Reclaimed' : undefined;
}

const endsAsLate = ({ end }: Candidate, winner: Candidate): boolean =>
  end === undefined || (winner.end !== undefined && winner.end <= end);

/** It started while the winner waited, as it does not delay it. */
const hasPassed = ({ entry }: Candidate, winner: Candidate): boolean =>
  entry.granted!.at >= waitsSince(winner.entry);

/** It had waited so long for its room that it keeps it: else a job could be stopped again and again, and never end. */
const hasStarved = ({ entry }: Candidate, starveAfterMs: number): boolean =>
  entry.granted!.at - waitsSince(entry) >= starveAfterMs;

/** What each lane has beyond what it deserves, once those that give back are gone. */
function excesses({ running, stopping }: Search): Map<LaneLine, bigint[]> {
  const excess = new Map<LaneLine, bigint[]>();
  for (const one of running) {
    const known = excess.get(one.lane) ?? one.lane.deserved.map((amount) => -amount);
    if (!isYielding(one.entry) && !stopping.has(one)) addTo(known, one.demand);
    excess.set(one.lane, known);
  }
  return excess;
}

/** Whether a lane has too much of something that the winner lacks. */
const isAbove = (excess: Vector, { demand }: Candidate, inPool: Vector): boolean =>
  excess.some((amount, r) => amount > 0n && demand[r]! > 0n && demand[r]! > inPool[r]!);

function helps(winner: Candidate, victim: Candidate, inPool: Vector, inLane: Vector): boolean {
  const isOfLane = victim.lane === winner.lane;
  return winner.demand.some(
    (need, r) => victim.demand[r]! > 0n && (need > inPool[r]! || (isOfLane && need > inLane[r]!)),
  );
}

const isEnough = ({ demand }: Candidate, inPool: Vector, inLane: Vector): boolean =>
  fitsInto(demand, inPool) && fitsInto(demand, inLane);

/** Spares those that lose most, as long as the rest is enough. */
function withoutNeedless(winner: Candidate, chosen: readonly Victim[], search: Search): readonly Victim[] {
  let kept = chosen;
  for (const one of chosen.toReversed()) {
    const rest = kept.filter((other) => other !== one);
    const inPool = [...search.inPool];
    const inLane = [...search.inLane];
    for (const { victim } of rest) {
      addTo(inPool, victim.demand);
      if (victim.lane === winner.lane) addTo(inLane, victim.demand);
    }
    if (isEnough(winner, inPool, inLane)) kept = rest;
  }
  return kept;
}
