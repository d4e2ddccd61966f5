import type { LanesConfig } from '../../contracts/lanes.ts';
import { compareText } from '../../language/compare-text.ts';
import type { Candidate, Cap, LaneLine } from './candidate.ts';
import { isYielding, waitsSince } from './lane-entry.ts';
import type { Backfilled } from './lanes-decision.ts';
import { exceeds, type PoolLines } from './pool-lines.ts';
import { delays, type Reservation, reserve, takeSpare } from './reservation.ts';
import { addTo, dominantShare, isWithin, type Vector } from './vector.ts';
import { findVictims, type Victim } from './victims.ts';

/** What became of a job that waits. */
export type Outcome =
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
  /** What is free is promised: to a job that waited too long, or for which others stopped. */
  | { readonly by: 'promise'; readonly to?: Candidate }
  | { readonly by: 'reservation'; readonly of: Reservation };

export interface PoolDecision {
  readonly lines: PoolLines;
  readonly outcomes: ReadonlyMap<Candidate, Outcome>;
  readonly victims: readonly (Victim & { readonly winner: Candidate })[];
  readonly reservations: readonly Reservation[];
  /** The job that nothing passes. */
  readonly strict?: Candidate;
}

/** Decides who gets what of one pool. */
export function decidePool(lines: PoolLines, at: number, config: LanesConfig): PoolDecision {
  const pass = new PoolPass(lines, at, config);
  pass.serveWhomOthersYieldTo();
  pass.serveHeads();
  pass.backfill();
  return pass;
}

class PoolPass implements PoolDecision {
  readonly outcomes = new Map<Candidate, Outcome>();
  readonly victims: (Victim & { readonly winner: Candidate })[] = [];
  reservations: Reservation[] = [];
  strict?: Candidate;
  readonly lines: PoolLines;
  readonly #at: number;
  readonly #config: LanesConfig;
  readonly #running: Candidate[];
  readonly #stopping = new Set<Candidate>();
  readonly #promised: Candidate[] = [];
  /** What lanes use in relation to their weights: who uses less comes first. */
  readonly #relativeShares: Map<LaneLine, number>;

  constructor(lines: PoolLines, at: number, config: LanesConfig) {
    this.lines = lines;
    this.#at = at;
    this.#config = config;
    this.#running = [...lines.running];
    this.#relativeShares = new Map(lines.lanes.map((lane) => [lane, this.#relativeShareOf(lane)]));
  }

  /** What was freed for a job is not for anybody else, whatever the order has become. */
  serveWhomOthersYieldTo(): void {
    const yielders = this.#yielders();
    const winners = this.lines.lanes
      .flatMap(({ queue }) => queue)
      .filter(({ entry }) => yielders.has(entry.uid))
      .sort((a, b) => a.entry.since - b.entry.since || compareText(a.entry.uid, b.entry.uid));
    for (const winner of winners) {
      const by = yielders.get(winner.entry.uid)!;
      if (this.#capOf(winner)) continue;
      if (this.#hasRoom(winner)) this.#grant(winner, { is: 'granted', after: by });
      else this.#promiseTo(winner);
    }
    for (const lane of this.lines.lanes) lane.queue = lane.queue.filter((one) => !this.outcomes.has(one));
  }

  /** Serves lanes in turn, each in its order, until the first job of each cannot start. */
  serveHeads(): void {
    for (let lane = this.#nextLane(); lane; lane = this.#nextLane()) {
      const one = lane.queue[lane.next++]!;
      const cap = this.#capOf(one);
      if (cap) {
        this.#keepBack(one, cap);
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
      const cap = this.#capOf(one);
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
        tried.set(key, block);
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
    const waiting = [...this.lines.lanes.flatMap(({ queue }) => queue), ...this.lines.excluded.keys()];
    for (const { entry } of [...this.#running, ...waiting]) {
      if (entry.yieldsTo === undefined) continue;
      all.set(entry.yieldsTo, [...(all.get(entry.yieldsTo) ?? []), entry.uid]);
    }
    return all;
  }

  #nextLane(): LaneLine | undefined {
    const open = this.lines.lanes.filter(({ head, next, queue }) => !head && next < queue.length);
    return firstOf(open, (a, b) => this.#compareStarving(a, b) || this.#compareLanes(a, b));
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

  #capOf({ demand, caps }: Candidate): Cap | undefined {
    return caps.find((cap) => cap.closedFor !== undefined || exceeds(demand, cap));
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
    return isWithin(
      demand,
      lane.deserved.map((amount, r) => amount - lane.used[r]!),
    );
  }

  #maySkipReservations(one: Candidate): boolean {
    return this.#config.backfill === 'any' || this.#isStarving(one) || this.#isEntitled(one);
  }

  #blockOf(one: Candidate, skipsReservations: boolean): Block | undefined {
    const { demand, lane } = one;
    if (!isWithin(demand, lane.place.free)) return { by: 'limit' };
    if (!isWithin(demand, this.lines.place.free)) return { by: 'room' };
    if (!this.#hasRoom(one)) return { by: 'promise', ...this.#promisedTo() };
    if (skipsReservations) return undefined;
    const of = this.reservations.find((reservation) => this.#isDelayedBy(one, reservation));
    return of && { by: 'reservation', of };
  }

  #isDelayedBy(one: Candidate, reservation: Reservation): boolean {
    if (this.#config.backfill === 'none') return reservation.poolSpare !== undefined;
    return delays(one, reservation);
  }

  #promisedTo(): { readonly to?: Candidate } {
    const to = this.strict ?? this.#promised[0];
    return to ? { to } : {};
  }

  #grant(one: Candidate, outcome: Outcome & { readonly is: 'granted' }): void {
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
    if (this.#makeRoomFor(one, block)) {
      this.#promiseTo(one);
      return;
    }
    if (this.#isStarving(one) && !this.strict) {
      this.#letNothingPass(one, block);
      return;
    }
    this.reservations.push(this.#reservationFor(one, block));
  }

  #letNothingPass(one: Candidate, block: Block): void {
    one.lane.place.promise(one.demand);
    if (block.by === 'limit') return;
    this.lines.place.promise(one.demand);
    this.strict = one;
  }

  #promiseTo(one: Candidate): void {
    const by = this.#running.filter(
      (other) =>
        (isYielding(other.entry) && other.entry.yieldsTo === one.entry.uid) ||
        this.victims.some(({ victim, winner }) => victim === other && winner === one),
    );
    this.lines.place.promise(one.demand);
    one.lane.place.promise(one.demand);
    this.#promised.push(one);
    this.outcomes.set(one, { is: 'promised', by });
  }

  /** Returns whether jobs stop for it from now on. */
  #makeRoomFor(winner: Candidate, block: Block): boolean {
    const { settings } = winner.lane;
    const isEntitled = this.#isEntitled(winner);
    const mayReclaim = settings.reclaim === 'borrowed' && isEntitled && block.by !== 'limit';
    const mayPreempt = settings.preempt === 'lower';
    if (this.strict || (!mayReclaim && !mayPreempt)) return false;
    const isBehind = !isEntitled && this.reservations.some(({ poolSpare }) => poolSpare);
    const found = findVictims(winner, {
      ...{ at: this.#at, starveAfterMs: this.#config.starveAfterMs, total: this.lines.total },
      ...{ running: this.#running, stopping: this.#stopping, mayReclaim, mayPreempt },
      // What others wait for is not for a job that borrows, whoever stops for it.
      inPool: atLeastNothing(isBehind ? winner.demand.map(() => 0n) : this.lines.place.later),
      inLane: atLeastNothing(winner.lane.place.later),
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
      pool: this.lines.place,
      running: this.#running.filter((other) => !isYielding(other.entry) && !this.#stopping.has(other)),
      waitsForPool: block.by !== 'limit',
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
const shapeOf = ({ lane, demand, end }: Candidate): string => `${lane.name} ${demand.join()} ${end ?? ''}`;

const atLeastNothing = (vector: Vector): bigint[] => vector.map((amount) => (amount > 0n ? amount : 0n));

function firstOf<T>(all: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  let first: T | undefined;
  for (const one of all) if (first === undefined || compare(one, first) < 0) first = one;
  return first;
}
