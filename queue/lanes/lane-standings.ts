import { MOST_AHEAD } from '../../explain/queue-place.ts';
import { formatDuration } from '../../language/duration.ts';
import { amountOf, amountsOf, numberAt } from './amounts-text.ts';
import type { Candidate, Cap, LaneLine } from './candidate.ts';
import { compareEntries, nameOfEntry, waitsSince } from './lane-entry.ts';
import type { LaneReasonCode } from './lane-reasons.ts';
import type { LaneStanding } from './lanes-decision.ts';
import type { Block, LaneOutcome, PoolDecision } from './pool-decision.ts';
import { capHolderBefore, type Exclusion, leftOf, type PoolLines } from './pool-lines.ts';
import { dominantShare, fitsInto, shortestOf, type Vector } from './vector.ts';

const MOST_NAMED = 3;

interface Told {
  readonly code: LaneReasonCode;
  readonly sentence: string;
  readonly earliestStart?: number;
}

/** Says of each job of a pool that goes on waiting why it does. */
export function standingsOf(decision: PoolDecision, at: number): [string, LaneStanding][] {
  const { lines, outcomes } = decision;
  const told = new Teller(decision, at);
  const excluded = [...lines.excluded].map(([one, why]): [string, LaneStanding] => [
    one.entry.uid,
    { ...told.excluded(one, why), lane: one.lane.name, of: sizeOf(one.lane, outcomes), ahead: [] },
  ]);
  const byLane = Map.groupBy(
    [...outcomes].flatMap(([one, { is }]) => (is === 'granted' ? [] : [one])),
    ({ lane }) => lane,
  );
  const waiting = lines.lanes.flatMap((lane) => {
    const line = (byLane.get(lane) ?? []).sort((a, b) => compareEntries(a.entry, b.entry));
    const first = line.slice(0, MOST_AHEAD).map((one) => aheadOf(one, lines.resources));
    return line.map((one, index): [string, LaneStanding] => [
      one.entry.uid,
      {
        ...told.waiting(one, outcomes.get(one)!),
        ...{ lane: lane.name, position: index + 1, of: line.length },
        ahead: index < first.length ? first.slice(0, index) : first,
      },
    ]);
  });
  return [...excluded, ...waiting];
}

export const aheadOf = ({ entry, demand }: Candidate, resources: readonly string[]) => ({
  uid: entry.uid,
  name: nameOfEntry(entry),
  needs: amountsOf(demand, resources),
});

function sizeOf(lane: LaneLine, outcomes: ReadonlyMap<Candidate, LaneOutcome>): number {
  return lane.queue.filter((one) => outcomes.get(one)?.is !== 'granted').length;
}

class Teller {
  readonly #decision: PoolDecision;
  readonly #at: number;

  constructor(decision: PoolDecision, at: number) {
    this.#decision = decision;
    this.#at = at;
  }

  excluded({ lane, demand }: Candidate, why: Exclusion): Told {
    switch (why.code) {
      case 'LaneFaulty':
        return {
          code: 'LaneFaulty',
          sentence: `lane ${lane.name} has a fault, which an administrator can mend: ${why.fault}`,
        };
      case 'LanePaused': {
        const { paused, drain } = lane.settings;
        const words = paused === undefined ? `drains: ${drain}` : `is paused: ${paused}`;
        return { code: 'LanePaused', sentence: `lane ${lane.name} ${words}` };
      }
      case 'BackingOff':
        return { code: 'BackingOff', sentence: `it is not granted anything before ${timeText(why.until)}` };
      case 'CapacityUnknown':
        return {
          code: 'CapacityUnknown',
          sentence: `what pool ${this.#decision.lines.name} has is not known, so nothing of lane ${lane.name} starts`,
        };
      case 'NeverFits': {
        const r = shortestOf(demand, why.most);
        return {
          code: 'NeverFits',
          sentence: `it needs ${this.#amount(demand, r)}, and ${why.of} is ${this.#number(why.most, r)}`,
        };
      }
    }
  }

  waiting(one: Candidate, outcome: LaneOutcome): Told {
    // Others may have started since it was looked at.
    const cap = this.#decision.promised.has(one)
      ? undefined
      : one.caps.find((cap) => !fitsInto(one.demand, leftOf(cap)));
    if (cap) return { code: 'CapReached', sentence: this.#capText(one, cap) };
    switch (outcome.is) {
      case 'capped':
        return { code: 'CapReached', sentence: this.#capText(one, outcome.cap) };
      case 'promised':
        return { code: 'CapacityBeingFreed', sentence: promisedText(outcome.by) };
      case 'behind':
        return { code: 'WaitingForTurn', sentence: this.#behindText(one, outcome) };
      case 'blocked':
        return this.#blocked(one, this.#blockNow(one, outcome.block));
      case 'granted':
        throw new Error(`${one.entry.uid} is granted: it does not wait`);
    }
  }

  #blocked(one: Candidate, block: Block): Told {
    const { lane, entry } = one;
    const start = this.#decision.reservations.find(({ holder }) => holder === one)?.start;
    const known = start === undefined ? {} : { earliestStart: start };
    const first = `it is the next of lane ${lane.name}`;
    const strict =
      this.#decision.strict === one
        ? `; it has waited for ${formatDuration(this.#at - waitsSince(entry))}: nothing may delay it`
        : '';
    switch (block.by) {
      case 'limit':
        return { code: 'LimitReached', sentence: `${first}, and ${this.#limitText(one)}`, ...known };
      case 'room':
        return {
          code: 'WaitingForRoom',
          sentence: `${first}, and ${this.#roomText(one)}${strict}`,
          ...known,
        };
      default:
        return { code: 'WaitingForTurn', sentence: `${first}, and ${this.#turnText(block)}`, ...known };
    }
  }

  /** Others may have started since a job was looked at. */
  #blockNow({ demand, lane }: Candidate, block: Block): Block {
    if (!fitsInto(demand, lane.place.free)) return { by: 'limit' };
    return fitsInto(demand, this.#decision.lines.place.free) ? block : { by: 'room' };
  }

  #turnText(block: Block & { readonly by: 'promise' | 'reservation' | 'claim' }): string {
    if (block.by === 'claim')
      return `would have to give back at once what it takes, for ${nameOfEntry(block.of.entry)} of lane ${block.of.lane.name}`;
    if (block.by === 'reservation') {
      const { holder, isStrict } = block.of;
      if (isStrict)
        return `${nameOfEntry(holder.entry)} of lane ${holder.lane.name} has waited so long that nothing may delay it`;
      return `would borrow what ${nameOfEntry(holder.entry)} of lane ${holder.lane.name} waits for`;
    }
    if (!block.to) return 'what is free is promised to jobs that come first';
    const { entry, lane } = block.to;
    return `others stopped for ${nameOfEntry(entry)} of lane ${lane.name}`;
  }

  #behindText(one: Candidate, { head, block }: { readonly head: Candidate; readonly block?: Block }): string {
    const first = `${nameOfEntry(head.entry)} is the next of lane ${one.lane.name}`;
    if (!block) return `${first}, and nothing passes it`;
    const now = this.#blockNow(one, block);
    switch (now.by) {
      case 'room':
        return `${first}; for this one ${this.#roomText(one)}`;
      case 'limit':
        return `${first}; for this one ${this.#limitText(one)}`;
      case 'promise':
        return `${first}; ${this.#turnText(now)}`;
      case 'claim':
        return `${first}; this one ${this.#turnText(now)}`;
      case 'reservation':
        return `${first}; ${delayText(one, now.of.holder, now.of.start)}`;
    }
  }

  #roomText({ demand }: Candidate): string {
    const { place, total, whole, name } = this.#decision.lines;
    const short = shortestOf(demand, place.free);
    const r = short < 0 ? largestOf(demand, total) : short;
    if (r < 0) return 'too little is free';
    return `${this.#amount(demand, r)} are needed: ${this.#number(place.free, r)} of ${this.#number(total, r)} are free in pool ${name}${whole[r]! > total[r]! ? `, of whose ${this.#number(whole, r)} the rest is in use by others or not usable now` : ''}`;
  }

  #limitText({ demand, lane }: Candidate): string {
    const short = shortestOf(demand, lane.place.free);
    const r = short < 0 ? largestOf(demand, lane.limit) : short;
    if (r < 0) return `the limit of lane ${lane.name} is reached`;
    return `${this.#amount(demand, r)} are needed: ${this.#number(lane.used, r)} of the limit of ${this.#number(lane.limit, r)} of lane ${lane.name} are in use`;
  }

  #capText(one: Candidate, cap: Cap): string {
    const { demand, lane } = one;
    const { of, most, used } = cap;
    const r = shortestOf(demand, leftOf(cap));
    const holder = capHolderBefore(one, cap);
    if (r < 0 && holder)
      return `${nameOfEntry(holder.entry)} has waited so long for the cap of ${of} in lane ${lane.name} that nothing passes it`;
    if (r < 0) return `${of} has what one may have in lane ${lane.name}`;
    return `${this.#amount(demand, r)} are needed: ${of} has ${this.#number(used, r)} of ${this.#number(most, r)} in lane ${lane.name}`;
  }

  #amount(vector: Vector, r: number): string {
    return amountOf(vector, r, this.#decision.lines.resources);
  }

  #number(vector: Vector, r: number): string {
    return numberAt(vector, r, this.#decision.lines.resources);
  }
}

function delayText({ end, entry }: Candidate, holder: Candidate, start: number | undefined): string {
  const name = nameOfEntry(holder.entry);
  if (start === undefined) return `this one could delay ${name}: when that one starts is not known`;
  if (end !== undefined) return `this one would end at ${timeText(end)}, after ${name} can start`;
  const why = entry.durationMs === undefined ? 'declares no duration' : 'has no known end';
  return `this one ${why}, and could delay ${name}`;
}

function promisedText(by: readonly Candidate[]): string {
  if (by.length === 0) return 'others gave back room for it, and it is kept for it until there is enough';
  const names = by.slice(0, MOST_NAMED).map(({ entry }) => nameOfEntry(entry));
  const more = by.length > MOST_NAMED ? ` and ${by.length - MOST_NAMED} more` : '';
  return `${names.join(', ')}${more} ${by.length === 1 ? 'gives' : 'give'} back room for it`;
}

/** The resource of which a job needs the largest part. */
function largestOf(demand: Vector, total: Vector): number {
  let most = -1;
  let share = -1;
  for (let r = 0; r < demand.length; r++) {
    if (demand[r]! <= 0n) continue;
    const one = dominantShare([demand[r]!], [total[r]!]);
    if (one <= share) continue;
    most = r;
    share = one;
  }
  return most;
}

/** Without milliseconds. */
const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Why a job stops for another. */
export function lossText(
  { victim, winner, reason }: { victim: Candidate; winner: Candidate; reason: 'Reclaimed' | 'Preempted' },
  { resources }: Pick<PoolLines, 'resources'>,
): string {
  if (reason === 'Preempted')
    return `priority ${winner.entry.priority} before ${victim.entry.priority} in lane ${winner.lane.name}`;
  const { lane } = victim;
  const beyond = lane.used.map((amount, r) => amount - lane.deserved[r]!);
  const r = largestOf(beyond, lane.deserved);
  const has =
    r < 0
      ? ''
      : ` has ${amountOf(lane.used, r, resources)}, and deserves ${numberAt(lane.deserved, r, resources)}`;
  return `lane ${lane.name}${has}; lane ${winner.lane.name} takes what it deserves`;
}
