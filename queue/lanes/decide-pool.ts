import type { LanesConfig } from '../../contracts/lanes.ts';
import { compareText } from '../../language/compare-text.ts';
import type { Candidate, Cap, LaneLine } from './candidate.ts';
import { isOwed, isYielding, waitsSince } from './lane-entry.ts';
import type { LaneRoom } from './lane-room.ts';
import type { Backfilled } from './lanes-decision.ts';
import { capReachedBy, type PoolLines } from './pool-lines.ts';
import { delays, type Reservation, reserve, takeSpare, takesCap } from './reservation.ts';
import { addTo, dominantShare, fitsInto } from './vector.ts';
import { findVictims, type Victim } from './victims.ts';

/** What became of a job that waits. */
export type LaneOutcome =
  | { readonly is: 'granted'; readonly backfilled?: Backfilled; readonly after?: readonly string[] }
  | { readonly is: 'capped'; readonly cap: Cap }
  | { readonly is: 'promised'; readonly by: readonly Candidate[] }
  | { readonly is: 'blocked'; readonly block: Block }
  /** Behind the first job of its lane. */
  | { readonly is: 'behind'; readonly head: Candidate; readonly block?: Block };

/** Why a job cannot start. */
export type Block =
  | { readonly by: 'limit' }
  | { readonly by: 'room' }
  /** What is free is promised to a job for which others stopped. */
  | { readonly by: 'promise'; readonly to?: Candidate }
  | { readonly by: 'reservation'; readonly of: Reservation }
  /** It would have to give back at once what it takes. */
  | { readonly by: 'claim'; readonly of: Candidate };

export interface PoolDecision {
  readonly lines: PoolLines;
  readonly outcomes: ReadonlyMap<Candidate, LaneOutcome>;
  readonly victims: readonly (Victim & { readonly winner: Candidate })[];
  readonly reservations: readonly Reservation[];
  /** The job that nothing passes that could delay it. */
  readonly strict?: Candidate;
  /** To whom something is promised. */
  readonly promised: ReadonlySet<Candidate>;
}

/** Who does not start, since it would have to stop at once, and for whom; by uid. */
export type Barred = ReadonlyMap<string, string>;

interface Given {
  readonly at: number;
  readonly config: LanesConfig;
  readonly barred: Barred;
}

/** Decides who gets what of one pool. */
export function decidePool(lines: PoolLines, given: Given): PoolDecision {
  const pass = new PoolPass(lines, given);
  pass.serveWhomOthersYieldTo();
  pass.serveHeads();
  pass.backfill();
  return pass;
}

class PoolPass implements PoolDecision {
  readonly outcomes = new Map<Candidate, LaneOutcome>();
  readonly victims: (Victim & { readonly winner: Candidate })[] = [];
  reservations: Reservation[] = [];
  strict?: Candidate;
  readonly promised = new Set<Candidate>();
  readonly lines: PoolLines;
  readonly #at: number;
  readonly #config: LanesConfig;
  readonly #barred: ReadonlyMap<Candidate, Candidate>;
  readonly #running: Candidate[];
  readonly #stopping = new Set<Candidate>();
  /** What lanes use in relation to their weights: who uses less comes first. */
  readonly #relativeShares: Map<LaneLine, number>;

  constructor(lines: PoolLines, { at, config, barred }: Given) {
    this.lines = lines;
    this.#at = at;
    this.#config = config;
    this.#barred = this.#claimsOn(barred);
    this.#running = [...lines.running];
    this.#relativeShares = new Map(lines.lanes.map((lane) => [lane, this.#relativeShareOf(lane)]));
  }

  /** What was freed for a job is not for anybody else, whatever the order has become. */
  serveWhomOthersYieldTo(): void {
    const yielders = this.#yielders();
    const winners = this.#waiting
      .filter((one) => yielders.has(one.entry.uid) && !this.#barred.has(one))
      .sort((a, b) => a.entry.since - b.entry.since || compareText(a.entry.uid, b.entry.uid));
    for (const winner of winners) {
      const by = yielders.get(winner.entry.uid)!;
      if (capReachedBy(winner)) continue;
      if (this.#hasRoom(winner)) this.#grant(winner, { is: 'granted', after: by });
      else this.#promiseTo(winner);
    }
    for (const lane of this.lines.lanes)
      lane.queue = lane.queue.filter((one) => this.outcomes.get(one)?.is !== 'granted');
  }

  /** Serves lanes in turn, each in its order, until the first job of each cannot start. */
  serveHeads(): void {
    for (let lane = this.#nextLane(); lane; lane = this.#nextLane()) {
      const one = lane.queue[lane.next++]!;
      if (this.promised.has(one)) {
        this.#stopForPromised(one);
        continue;
      }
      const block = this.#blockOf(one, this.#maySkipReservations(one));
      if (block) this.#stopLane(one, block);
      else this.#grant(one, { is: 'granted' });
    }
    this.#reserveAnew();
  }

  /** Starts jobs behind the first ones, as far as these do not start later for it. */
  backfill(): void {
    const tried = new Map<string, Block>();
    const policy = this.#config.backfill;
    for (let lane = this.#nextBehind(); lane; lane = this.#nextBehind()) {
      const head = lane.head!;
      const one = lane.queue[lane.next++]!;
      if (this.promised.has(one)) continue;
      const cap = capReachedBy(one);
      if (cap) {
        this.#keepBack(one, cap);
        continue;
      }
      if (policy === 'none') {
        this.outcomes.set(one, { is: 'behind', head });
        continue;
      }
      const key = shapeOf(one);
      const block = tried.get(key) ?? this.#blockOf(one, policy === 'any');
      if (block) {
        if (block.by !== 'claim') tried.set(key, block);
        if (this.#isStarving(one)) for (const { neededBy } of one.caps) neededBy.push(one);
        this.outcomes.set(one, { is: 'behind', head, block });
      } else
        this.#grant(one, {
          is: 'granted',
          backfilled: { past: head.entry.uid, because: this.#whyPast(one) },
        });
    }
  }

  /** By whom others give back, or gave back: their uids. */
  #yielders(): Map<string, string[]> {
    const all = new Map<string, string[]>();
    const waiting = new Map(this.#waiting.map(({ entry }) => [entry.uid, entry]));
    for (const { entry } of [...this.#running, ...this.#waiting, ...this.lines.excluded.keys()]) {
      const winner = entry.yieldsTo === undefined ? undefined : waiting.get(entry.yieldsTo);
      if (!winner || !isOwed(winner, entry)) continue;
      all.set(winner.uid, [...(all.get(winner.uid) ?? []), entry.uid]);
    }
    return all;
  }

  /** Who waits for what the barred ones would take. */
  #claimsOn(barred: Barred): Map<Candidate, Candidate> {
    const byUid = new Map(this.#waiting.map((one) => [one.entry.uid, one]));
    return new Map(
      [...barred].flatMap(([uid, to]) => {
        const [one, winner] = [byUid.get(uid), byUid.get(to)];
        return one && winner ? [[one, winner]] : [];
      }),
    );
  }

  get #waiting(): Candidate[] {
    return this.lines.lanes.flatMap(({ queue }) => queue);
  }

  /** First whoever waits too long, then lanes that have less than they deserve: others borrow what these do not want. */
  #nextLane(): LaneLine | undefined {
    const heads = this.lines.lanes.filter(({ head }) => !head);
    for (const lane of heads) this.#passCapped(lane);
    const open = heads.filter(({ next, queue }) => next < queue.length);
    return firstOf(
      open,
      (a, b) => this.#compareStarving(a, b) || this.#compareClaims(a, b) || this.#compareLanes(a, b),
    );
  }

  #nextBehind(): LaneLine | undefined {
    const open = this.lines.lanes.filter(({ next, queue }) => next < queue.length);
    return firstOf(open, (a, b) => this.#compareLanes(a, b));
  }

  #compareStarving(a: LaneLine, b: LaneLine): number {
    const [x, y] = [a, b].map(({ queue, next }) => queue[next]!);
    const starving = Number(this.#isStarving(y!)) - Number(this.#isStarving(x!));
    return starving || (this.#isStarving(x!) ? waitsSince(x!.entry) - waitsSince(y!.entry) : 0);
  }

  #compareClaims(a: LaneLine, b: LaneLine): number {
    const [x, y] = [a, b].map(({ queue, next }) => queue[next]!);
    return Number(this.#isEntitled(y!)) - Number(this.#isEntitled(x!));
  }

  #compareLanes(a: LaneLine, b: LaneLine): number {
    return (
      b.settings.priority - a.settings.priority ||
      this.#relativeShares.get(a)! - this.#relativeShares.get(b)! ||
      compareText(a.name, b.name)
    );
  }

  #relativeShareOf({ used, settings }: LaneLine): number {
    return dominantShare(used, this.lines.total) / settings.weight;
  }

  #isStarving({ entry }: Candidate): boolean {
    return this.#at - waitsSince(entry) >= this.#config.starveAfterMs;
  }

  /** Jobs over a cap hold up nobody: the first one that is not decides when it is the turn of its lane. */
  #passCapped(lane: LaneLine): void {
    for (; lane.next < lane.queue.length; lane.next++) {
      const one = lane.queue[lane.next]!;
      const cap = this.promised.has(one) ? undefined : capReachedBy(one);
      if (!cap) return;
      this.#keepBack(one, cap);
    }
  }

  #keepBack(one: Candidate, cap: Cap): void {
    if (this.#isStarving(one)) cap.closedFor ??= one;
    this.outcomes.set(one, { is: 'capped', cap });
  }

  #hasRoom({ demand, lane }: Candidate): boolean {
    return this.lines.place.hasRoom(demand) && lane.place.hasRoom(demand);
  }

  /** Within what it deserves a lane need not wait for others. */
  #isEntitled({ demand, lane }: Candidate): boolean {
    return fitsInto(
      demand,
      lane.deserved.map((amount, r) => amount - lane.used[r]!),
    );
  }

  #maySkipReservations(one: Candidate): boolean {
    return this.#config.backfill === 'any' || this.#isStarving(one) || this.#isEntitled(one);
  }

  #blockOf(one: Candidate, skipsReservations: boolean): Block | undefined {
    const { demand, lane } = one;
    if (!fitsInto(demand, lane.place.free)) return { by: 'limit' };
    if (!fitsInto(demand, this.lines.place.free)) return { by: 'room' };
    const of = this.#barred.get(one);
    if (of) return { by: 'claim', of };
    if (!this.#hasRoom(one)) return { by: 'promise', ...this.#promisedTo() };
    const claim = this.#claimBefore(one);
    if (claim) return { by: 'reservation', of: claim };
    const reservation = this.reservations.find((reservation) =>
      skipsReservations && !reservation.isStrict
        ? takesCap(one, reservation)
        : this.#isDelayedBy(one, reservation),
    );
    return reservation && { by: 'reservation', of: reservation };
  }

  /** What a lane would take back at once is not worth borrowing. */
  #claimBefore(one: Candidate): Reservation | undefined {
    if (this.#isStarving(one)) return undefined;
    const claim = this.reservations.find(
      ({ holder, keepsPool }) =>
        keepsPool &&
        holder.lane !== one.lane &&
        holder.lane.settings.reclaim === 'borrowed' &&
        this.#isEntitled(holder),
    );
    return claim && !this.#isEntitled(one) ? claim : undefined;
  }

  #isDelayedBy(one: Candidate, reservation: Reservation): boolean {
    if (this.#config.backfill === 'none') return reservation.keepsPool;
    return delays(one, reservation);
  }

  #promisedTo(): { readonly to?: Candidate } {
    const [to] = this.promised;
    return to ? { to } : {};
  }

  #grant(one: Candidate, outcome: LaneOutcome & { readonly is: 'granted' }): void {
    const { demand, lane, caps } = one;
    this.outcomes.set(one, outcome);
    this.lines.place.occupy(demand, false);
    lane.place.occupy(demand, false);
    addTo(lane.used, demand);
    this.#relativeShares.set(lane, this.#relativeShareOf(lane));
    for (const { used } of caps) addTo(used, demand);
    for (const reservation of this.reservations) takeSpare(one, reservation);
    this.#running.push(one);
  }

  /** The first job of a lane cannot start: makes room for it if it may, and keeps what becomes free for it. */
  #stopLane(one: Candidate, block: Block): void {
    one.lane.head = one;
    this.outcomes.set(one, { is: 'blocked', block });
    if (block.by !== 'claim' && this.#makeRoomFor(one, block)) {
      this.#promiseTo(one);
      return;
    }
    if (this.#isStarving(one) && block.by !== 'limit' && block.by !== 'claim') this.strict ??= one;
    this.reservations.push(this.#reservationFor(one, block));
  }

  /** Others stop for it already. Where that is not enough any more, e.g. since a node was lost, more of them do. */
  #stopForPromised(one: Candidate): void {
    one.lane.head = one;
    const places = [this.lines.place, one.lane.place];
    for (const place of places) place.takeBack(one.demand);
    const block = this.#blockOf(one, true);
    if (block) this.#makeRoomFor(one, block);
    for (const place of places) place.promise(one.demand);
    this.outcomes.set(one, { is: 'promised', by: this.#thoseWhoStopFor(one) });
  }

  #freedFor(one: Candidate): bigint[] {
    const freed = one.demand.map(() => 0n);
    for (const { demand } of this.#thoseWhoStopFor(one)) addTo(freed, demand);
    return freed;
  }

  #promiseTo(one: Candidate): void {
    this.#keep(one, [one.lane.place, this.lines.place]);
    this.outcomes.set(one, { is: 'promised', by: this.#thoseWhoStopFor(one) });
  }

  #keep(one: Candidate, places: readonly LaneRoom[]): void {
    for (const place of places) place.promise(one.demand);
    for (const { kept } of one.caps) addTo(kept, one.demand);
    this.promised.add(one);
  }

  #thoseWhoStopFor(one: Candidate): Candidate[] {
    const chosen = new Set(this.victims.filter(({ winner }) => winner === one).map(({ victim }) => victim));
    return this.#running.filter(
      (other) => chosen.has(other) || (isYielding(other.entry) && other.entry.yieldsTo === one.entry.uid),
    );
  }

  /** Returns whether jobs stop for it from now on. */
  #makeRoomFor(winner: Candidate, block: Block): boolean {
    const { settings } = winner.lane;
    const isEntitled = this.#isEntitled(winner);
    const mayReclaim = settings.reclaim === 'borrowed' && isEntitled && block.by !== 'limit';
    const mayPreempt = settings.preempt === 'lower';
    if (this.strict || (!mayReclaim && !mayPreempt)) return false;
    // What others wait for is not for a job that borrows, whoever stops for it.
    const mayOnlySwap = !isEntitled && this.reservations.some(({ keepsPool }) => keepsPool);
    const found = findVictims(winner, {
      ...{ at: this.#at, starveAfterMs: this.#config.starveAfterMs, total: this.lines.total },
      ...{ running: this.#running, stopping: this.#stopping, mayReclaim, mayPreempt },
      mayOnlySwap,
      inPool: mayOnlySwap ? this.#freedFor(winner) : this.lines.place.basis,
      inLane: winner.lane.place.basis,
    });
    for (const one of found) {
      this.victims.push({ ...one, winner });
      this.#stopping.add(one.victim);
      this.lines.place.expect(one.victim.demand);
      one.victim.lane.place.expect(one.victim.demand);
    }
    return found.length > 0;
  }

  #reservationFor(one: Candidate, block: Block): Reservation {
    const others = this.reservations.find(
      ({ holder }) => block.by === 'reservation' && holder === block.of.holder,
    );
    return reserve(one, {
      ...{ at: this.#at, pool: this.lines.place },
      running: this.#running.filter((other) => !isYielding(other.entry) && !this.#stopping.has(other)),
      ...{ waitsForPool: block.by !== 'limit', isStrict: this.#isStarving(one) },
      ...(others ? { behind: others } : {}),
    });
  }

  /** Jobs may have started since the first reservations were made. */
  #reserveAnew(): void {
    const before = this.reservations;
    this.reservations = [];
    for (const { holder } of before) {
      const outcome = this.outcomes.get(holder);
      if (outcome?.is === 'blocked') this.reservations.push(this.#reservationFor(holder, outcome.block));
    }
  }

  #whyPast(one: Candidate): Backfilled['because'] {
    const own = this.reservations.find(({ holder }) => holder === one.lane.head);
    if (own && one.end !== undefined && own.start !== undefined && one.end <= own.start) return 'endsBefore';
    return own && delays(one, own) ? 'any' : 'spare';
  }
}

/** Jobs of one shape have the same chances: it is tried once, as what is free only shrinks. */
const shapeOf = ({ lane, demand, end, caps }: Candidate): string =>
  `${lane.name} ${demand.join()} ${end ?? ''} ${caps.map(({ of }) => of).join()}`;

function firstOf<T>(all: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  let first: T | undefined;
  for (const one of all) if (first === undefined || compare(one, first) < 0) first = one;
  return first;
}
