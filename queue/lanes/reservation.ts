import type { Candidate, Cap } from './candidate.ts';
import type { LaneRoom } from './lane-room.ts';
import { leftOf } from './pool-lines.ts';
import { addTo, fitsInto, takeFrom, type Vector } from './vector.ts';

/** What is kept for the first job of a lane, so that nothing that passes it delays it (EASY backfill). */
export interface Reservation {
  readonly holder: Candidate;
  /** It has waited so long that everybody has to leave it its room. */
  readonly isStrict: boolean;
  /** When it can start, if the ends of enough jobs are known. */
  readonly start?: number;
  /** Whether other lanes leave it room in the pool: not if only the limit of its own lane is in its way. */
  readonly keepsPool: boolean;
  /** What others may have of the pool beyond that time. */
  readonly poolSpare: bigint[];
  /** What others of its lane may have of the limit beyond that time. */
  readonly laneSpare: bigint[];
  /** What others may have of its caps. */
  readonly capSpares: ReadonlyMap<Cap, bigint[]>;
}

interface Moment {
  readonly at: number;
  readonly pool: LaneRoom;
  readonly running: readonly Candidate[];
  /** It is not only the limit of its lane that is in its way. */
  readonly waitsForPool: boolean;
  readonly isStrict: boolean;
  /** It would delay this one, so it starts later. */
  readonly behind?: Reservation;
}

/**
 * Reserves for a job. It starts when jobs have ended whose ends are known. Where these are too few, any job may end first: then
 * others may only have what it will not miss whatever ends.
 */
export function reserve(
  holder: Candidate,
  { at, pool, running, waitsForPool, isStrict, behind }: Moment,
): Reservation {
  const { demand, lane, caps } = holder;
  const inPool = pool.available;
  const inLane = lane.place.available;
  const start = behind ? behind.start : untilItFits(holder, inPool, inLane, running);
  // A job that has run for longer than it declared may do so for much longer: its room is nobody's spare.
  for (const late of start === undefined || behind
    ? []
    : running.filter(({ end }) => end !== undefined && end <= at)) {
    takeFrom(inPool, late.demand);
    if (late.lane === lane) takeFrom(inLane, late.demand);
  }
  takeFrom(inPool, demand);
  takeFrom(inLane, demand);
  const poolSpare = behind ? behind.poolSpare.map((spare, r) => spare - demand[r]!) : inPool;
  return {
    ...{ holder, isStrict },
    ...(start === undefined ? {} : { start }),
    ...{ keepsPool: waitsForPool || !fitsInto(demand, pool.free), poolSpare },
    laneSpare: inLane,
    capSpares: new Map(caps.map((cap) => [cap, capSpareOf(cap, demand)])),
  };
}

/** Whether a job that starts now could make the holder start later. */
export function delays(candidate: Candidate, reservation: Reservation): boolean {
  const { demand, lane, end } = candidate;
  const { holder, start, keepsPool, poolSpare, laneSpare } = reservation;
  // A job over a cap holds up nobody: the holder would lose its place, if only for a while.
  if (takesCap(candidate, reservation)) return true;
  if (end !== undefined && start !== undefined && end <= start) return false;
  const isOfLane = holder.lane === lane;
  if ((keepsPool || isOfLane) && !fitsInto(demand, poolSpare)) return true;
  return isOfLane && !fitsInto(demand, laneSpare);
}

/** Whether a job that starts now has what the holder needs of a cap that both have, e.g. that of their user. */
export const takesCap = ({ demand, caps }: Candidate, { capSpares }: Reservation): boolean =>
  caps.some((cap) => !fitsInto(demand, capSpares.get(cap) ?? demand));

/** Takes what a job that starts now has beyond the start of the holder. */
export function takeSpare({ demand, lane, end, caps }: Candidate, reservation: Reservation): void {
  const { holder, start, poolSpare, laneSpare, capSpares } = reservation;
  for (const cap of caps) takeFrom(capSpares.get(cap) ?? [], demand);
  if (end !== undefined && start !== undefined && end <= start) return;
  takeFrom(poolSpare, demand);
  if (holder.lane === lane) takeFrom(laneSpare, demand);
}

function capSpareOf(cap: Cap, demand: Vector): bigint[] {
  const spare = leftOf(cap);
  takeFrom(spare, demand);
  return spare;
}

/** Adds what jobs free by their ends, until the holder fits. Restores both if it never does. */
function untilItFits(
  { demand, lane }: Candidate,
  inPool: bigint[],
  inLane: bigint[],
  running: readonly Candidate[],
): number | undefined {
  const fits = () => fitsInto(demand, inPool) && fitsInto(demand, inLane);
  if (fits()) return undefined;
  const before = [[...inPool], [...inLane]] as const;
  const ending = running.filter(({ end }) => end !== undefined).sort((a, b) => a.end! - b.end!);
  for (const [index, { end, demand: freed, lane: of }] of ending.entries()) {
    addTo(inPool, freed);
    if (of === lane) addTo(inLane, freed);
    if (ending[index + 1]?.end !== end && fits()) return end;
  }
  inPool.splice(0, inPool.length, ...before[0]);
  inLane.splice(0, inLane.length, ...before[1]);
  return undefined;
}
