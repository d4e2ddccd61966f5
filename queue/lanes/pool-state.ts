import type { LanesConfig } from '../../contracts/lanes.ts';
import { compareText } from '../../language/compare-text.ts';
import type { Candidate, Cap, LaneLine } from './candidate.ts';
import { isYielding, waitsSince } from './lane-entry.ts';
import type { Block, LaneOutcome, PoolDecision } from './pool-decision.ts';
import type { PoolLines } from './pool-lines.ts';
import { delays, type Reservation, reserve, takeSpare, takesCap } from './reservation.ts';
import { addTo, dominantShare, fitsInto } from './vector.ts';

/** Who does not start, since it would have to stop at once, and for whom; by uid. */
export type Barred = ReadonlyMap<string, string>;

export interface Given {
  readonly at: number;
  readonly config: LanesConfig;
  readonly barred: Barred;
}

type Stop = PoolDecision['victims'][number];

/** What is decided of one pool so far, and what follows from that for a job. */
export class PoolState implements PoolDecision {
  readonly outcomes = new Map<Candidate, LaneOutcome>();
  readonly victims: Stop[] = [];
  reservations: readonly Reservation[] = [];
  strict?: Candidate;
  readonly promised = new Set<Candidate>();
  readonly lines: PoolLines;
  readonly at: number;
  readonly config: LanesConfig;
  /** With those who wait for what they would take. */
  readonly barred: ReadonlyMap<Candidate, Candidate>;
  /** Those that start now among them. */
  readonly running: Candidate[];
  /** Those that are to stop since this decision. */
  readonly stopping = new Set<Candidate>();
  /** What lanes use in relation to their weights: who uses less comes first. */
  readonly #relativeShares: Map<LaneLine, number>;

  constructor(lines: PoolLines, { at, config, barred }: Given) {
    this.lines = lines;
    this.at = at;
    this.config = config;
    this.barred = this.#claimsOn(barred);
    this.running = [...lines.running];
    this.#relativeShares = new Map(lines.lanes.map((lane) => [lane, this.#relativeShareOf(lane)]));
  }

  get waiting(): Candidate[] {
    return this.lines.lanes.flatMap(({ queue }) => queue);
  }

  #claimsOn(barred: Barred): Map<Candidate, Candidate> {
    const byUid = new Map(this.waiting.map((one) => [one.entry.uid, one]));
    return new Map(
      [...barred].flatMap(([uid, to]) => {
        const [one, winner] = [byUid.get(uid), byUid.get(to)];
        return one && winner ? [[one, winner]] : [];
      }),
    );
  }

  compareLanes(a: LaneLine, b: LaneLine): number {
    return (
      b.settings.priority - a.settings.priority ||
      this.#relativeShares.get(a)! - this.#relativeShares.get(b)! ||
      compareText(a.name, b.name)
    );
  }

  #relativeShareOf({ used, settings }: LaneLine): number {
    return dominantShare(used, this.lines.total) / settings.weight;
  }

  isStarving({ entry }: Candidate): boolean {
    return this.at - waitsSince(entry) >= this.config.starveAfterMs;
  }

  /** Within what it deserves a lane need not wait for others. */
  isEntitled({ demand, lane }: Candidate): boolean {
    return fitsInto(
      demand,
      lane.deserved.map((amount, r) => amount - lane.used[r]!),
    );
  }

  hasRoom({ demand, lane }: Candidate): boolean {
    return this.lines.place.hasRoom(demand) && lane.place.hasRoom(demand);
  }

  /** Returns why a job cannot start; undefined if it can. */
  blockOf(one: Candidate, skipsReservations: boolean): Block | undefined {
    const { demand, lane } = one;
    if (!fitsInto(demand, lane.place.free)) return { by: 'limit' };
    if (!fitsInto(demand, this.lines.place.free)) return { by: 'room' };
    const of = this.barred.get(one);
    if (of) return { by: 'claim', of };
    if (!this.hasRoom(one)) return { by: 'promise', ...this.#promisedTo() };
    const claim = this.#claimBefore(one);
    if (claim) return { by: 'reservation', of: claim };
    const reservation = this.reservations.find((reservation) =>
      skipsReservations && !reservation.isStrict
        ? takesCap(one, reservation)
        : this.#isDelayedBy(one, reservation),
    );
    return reservation && { by: 'reservation', of: reservation };
  }

  #promisedTo(): { readonly to?: Candidate } {
    const [to] = this.promised;
    return to ? { to } : {};
  }

  /** What a lane would take back at once is not worth borrowing. */
  #claimBefore(one: Candidate): Reservation | undefined {
    if (this.isStarving(one)) return undefined;
    const claim = this.reservations.find(
      ({ holder, keepsPool }) =>
        keepsPool &&
        holder.lane !== one.lane &&
        holder.lane.settings.reclaim === 'borrowed' &&
        this.isEntitled(holder),
    );
    return claim && !this.isEntitled(one) ? claim : undefined;
  }

  #isDelayedBy(one: Candidate, reservation: Reservation): boolean {
    if (this.config.backfill === 'none') return reservation.keepsPool;
    return delays(one, reservation);
  }

  grant(one: Candidate, outcome: LaneOutcome & { readonly is: 'granted' }): void {
    const { demand, lane, caps } = one;
    this.outcomes.set(one, outcome);
    this.lines.place.occupy(demand, false);
    lane.place.occupy(demand, false);
    addTo(lane.used, demand);
    this.#relativeShares.set(lane, this.#relativeShareOf(lane));
    for (const { used } of caps) addTo(used, demand);
    for (const reservation of this.reservations) takeSpare(one, reservation);
    this.running.push(one);
  }

  /** It is over a cap. */
  keepBack(one: Candidate, cap: Cap): void {
    if (this.isStarving(one)) cap.closedFor ??= one;
    this.outcomes.set(one, { is: 'capped', cap });
  }

  /** Others stop for it: what they free is kept for it. */
  promiseTo(one: Candidate): void {
    for (const place of [one.lane.place, this.lines.place]) place.promise(one.demand);
    for (const { kept } of one.caps) addTo(kept, one.demand);
    this.promised.add(one);
    this.outcomes.set(one, { is: 'promised', by: this.thoseWhoStopFor(one) });
  }

  stop(stop: Stop): void {
    const { victim } = stop;
    this.victims.push(stop);
    this.stopping.add(victim);
    this.lines.place.expect(victim.demand);
    victim.lane.place.expect(victim.demand);
  }

  thoseWhoStopFor(one: Candidate): Candidate[] {
    const chosen = new Set(this.victims.filter(({ winner }) => winner === one).map(({ victim }) => victim));
    return this.running.filter(
      (other) => chosen.has(other) || (isYielding(other.entry) && other.entry.yieldsTo === one.entry.uid),
    );
  }

  /** What becomes free is kept for it. */
  reserveFor(one: Candidate, block: Block): void {
    this.reservations = [...this.reservations, this.#reservationFor(one, block)];
  }

  /** Jobs may have started since the first reservations were made. */
  reserveAnew(): void {
    const before = this.reservations;
    this.reservations = [];
    for (const { holder } of before) {
      const outcome = this.outcomes.get(holder);
      if (outcome?.is === 'blocked') this.reserveFor(holder, outcome.block);
    }
  }

  #reservationFor(one: Candidate, block: Block): Reservation {
    const others = this.reservations.find(
      ({ holder }) => block.by === 'reservation' && holder === block.of.holder,
    );
    return reserve(one, {
      ...{ at: this.at, pool: this.lines.place },
      running: this.running.filter((other) => !isYielding(other.entry) && !this.stopping.has(other)),
      ...{ waitsForPool: block.by !== 'limit', isStrict: this.isStarving(one) },
      ...(others ? { behind: others } : {}),
    });
  }
}
