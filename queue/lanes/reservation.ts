import type { Candidate } from './candidate.ts';
import type { Place } from './place.ts';
import { addTo, isWithin, takeFrom } from './vector.ts';

/** What is kept for the first job of a lane, so that nothing that passes it delays it (EASY backfill). */
export interface Reservation {
  readonly holder: Candidate;
  /** When it can start, if the ends of enough jobs are known. */
  readonly start?: number;
  /** What others may have of the pool beyond that time; absent if the job does not wait for the pool. */
  readonly poolSpare?: bigint[];
  /** What others of its lane may have of the limit beyond that time. */
  readonly laneSpare: bigint[];
}

interface Moment {
  readonly pool: Place;
  readonly running: readonly Candidate[];
  /** The job waits for room of the pool, or may not take it. */
  readonly waitsForPool: boolean;
  /** It would delay this one, so it starts later. */
  readonly behind?: Reservation;
}

/**
 * Reserves for a job. It starts when jobs have ended whose ends are known. Where these are too few, any job may end first: then
 * others may only have what it will not miss whatever ends.
 */
export function reserve(holder: Candidate, { pool, running, waitsForPool, behind }: Moment): Reservation {
  const { demand, lane } = holder;
  const inPool = pool.available;
  const inLane = lane.place.available;
  const start = behind ? behind.start : untilItFits(holder, inPool, inLane, running);
  takeFrom(inPool, demand);
  takeFrom(inLane, demand);
  const poolSpare = behind?.poolSpare ? behind.poolSpare.map((spare, r) => spare - demand[r]!) : inPool;
  return {
    holder,
    ...(start === undefined ? {} : { start }),
    ...(waitsForPool ? { poolSpare } : {}),
    laneSpare: inLane,
  };
}

/** Whether a job that starts now could make the holder start later. */
export function delays({ demand, lane, end }: Candidate, reservation: Reservation): boolean {
  const { holder, start, poolSpare, laneSpare } = reservation;
  if (end !== undefined && start !== undefined && end <= start) return false;
  if (poolSpare && !isWithin(demand, poolSpare)) return true;
  return holder.lane === lane && !isWithin(demand, laneSpare);
}

/** Takes what a job that starts now has beyond the start of the holder. */
export function takeSpare({ demand, lane, end }: Candidate, reservation: Reservation): void {
  const { holder, start, poolSpare, laneSpare } = reservation;
  if (end !== undefined && start !== undefined && end <= start) return;
  if (poolSpare) takeFrom(poolSpare, demand);
  if (holder.lane === lane) takeFrom(laneSpare, demand);
}

/** Adds what jobs free by their ends, until the holder fits. Restores both if it never does. */
function untilItFits(
  { demand, lane }: Candidate,
  inPool: bigint[],
  inLane: bigint[],
  running: readonly Candidate[],
): number | undefined {
  const fits = () => isWithin(demand, inPool) && isWithin(demand, inLane);
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
