import { type LaneSettings, type LanesConfig, mayUseLane } from '../../contracts/lanes.ts';
import { type Amounts, NOTHING } from '../../contracts/pod-requests.ts';
import { compareText } from '../../language/compare-text.ts';
import { ownValue } from '../../language/fields.ts';
import type { Candidate, Cap, LaneLine } from './candidate.ts';
import { compareEntries, declaredEnd, isYielding, type LaneEntry } from './lane-entry.ts';
import { LaneRoom } from './lane-room.ts';
import { deservedShares, sharesOf } from './shares.ts';
import {
  addTo,
  fitsInto,
  largerOf,
  type Resources,
  smallerOf,
  takeFrom,
  UNLIMITED,
  type Vector,
  vectorOf,
} from './vector.ts';

/** A pool with its lanes and jobs, before anything is decided. */
export interface PoolLines {
  readonly name: string;
  readonly resources: Resources;
  readonly total: Vector;
  /** What it has when nobody else uses it and all its nodes are ready. */
  readonly whole: Vector;
  readonly place: LaneRoom;
  readonly lanes: readonly LaneLine[];
  /** Jobs that hold something of it, also of lanes that are in another pool now. */
  readonly running: readonly Candidate[];
  /** Why jobs that wait can have nothing. */
  readonly excluded: ReadonlyMap<Candidate, Exclusion>;
}

export type Exclusion =
  | { readonly code: 'LaneFaulty'; readonly fault: string }
  | { readonly code: 'LanePaused' }
  | { readonly code: 'CapacityUnknown' }
  | { readonly code: 'BackingOff'; readonly until: number }
  | { readonly code: 'NeverFits'; readonly of: string; readonly most: Vector };

interface Given {
  readonly at: number;
  readonly config: LanesConfig;
  /** Absent if it is not known: then nothing starts. */
  readonly capacity: Amounts | undefined;
  /** What it has when it is empty and whole, if that is more. */
  readonly whole: Amounts | undefined;
  /** That hold something of the pool. */
  readonly running: readonly LaneEntry[];
  /** Waiting, by lane. */
  readonly waiting: ReadonlyMap<string, readonly LaneEntry[]>;
}

export function poolLinesOf(name: string, given: Given): PoolLines {
  const { at, config, running } = given;
  const resources = resourcesOf(name, given);
  const isUncounted = given.capacity === undefined || isFixed(config, name);
  const total = vectorOf(given.capacity ?? NOTHING, resources, isUncounted ? UNLIMITED : 0n);
  const whole = largerOf(total, vectorOf(given.whole ?? NOTHING, resources));
  const lanes = lanesOf(name, { config, resources, total });
  const byName = new Map(lanes.map((lane) => [lane.name, lane]));
  const stray = strayLine(resources);
  const caps = new Map<string, Cap>();
  const candidate = (entry: LaneEntry): Candidate => {
    const own = byName.get(entry.lane);
    const lane = own && mayUseLane(own.settings, entry.namespace) ? own : stray;
    const demand = vectorOf(entry.demand, resources);
    return {
      entry,
      lane,
      demand,
      end: declaredEnd(entry, at),
      caps: capsOf(entry, lane, { caps, resources }),
    };
  };
  const place = new LaneRoom(total);
  const holders = running.map(candidate);
  for (const one of holders) hold(one, place);
  const excluded = new Map<Candidate, Exclusion>();
  for (const lane of lanes) {
    const sorted = (given.waiting.get(lane.name) ?? []).toSorted(compareEntries).map(candidate);
    lane.queue = sorted.filter((one) => {
      const why = exclusionOf(one, { at, pool: name, whole, isKnown: given.capacity !== undefined });
      if (why) excluded.set(one, why);
      return !why;
    });
  }
  divide(lanes, total);
  return { name, resources, total, whole, place, lanes, running: holders, excluded };
}

/** Names that people give to a capacity are all that is counted of it; nodes have nothing of what they do not name. */
const isFixed = ({ pools }: LanesConfig, name: string): boolean => 'capacity' in (pools[name] ?? {});

function resourcesOf(name: string, { config, capacity, whole, running, waiting }: Given): string[] {
  const named = new Set([...(capacity?.keys() ?? []), ...(whole?.keys() ?? [])]);
  const add = (amounts: Amounts | undefined) => {
    for (const resource of amounts?.keys() ?? []) named.add(resource);
  };
  for (const [lane, { pool, limit, caps }] of Object.entries(config.lanes)) {
    if (pool !== name) continue;
    for (const amounts of [limit, caps.perUser, ...Object.values(caps.perLabel)]) add(amounts);
    if (!isFixed(config, name)) for (const { demand } of waiting.get(lane) ?? []) add(demand);
  }
  if (!isFixed(config, name)) for (const { demand } of running) add(demand);
  return [...named].sort(compareText);
}

function lanesOf(
  pool: string,
  { config, resources, total }: { config: LanesConfig; resources: Resources; total: Vector },
): LaneLine[] {
  const own = Object.entries(config.lanes).filter(([, lane]) => lane.pool === pool);
  const shares = sharesOf(
    own.map(([, { weight }]) => weight),
    total,
  );
  return own.map(([name, settings], index) => lineOf(name, settings, { resources, share: shares[index]! }));
}

function lineOf(
  name: string,
  settings: LaneSettings,
  { resources, share }: { resources: Resources; share: Vector },
): LaneLine {
  const limit = vectorOf(settings.limit ?? NOTHING, resources, UNLIMITED);
  return {
    ...{ name, settings, limit, share, deserved: share, queue: [], next: 0 },
    place: new LaneRoom(limit),
    used: resources.map(() => 0n),
  };
}

/** Of jobs whose lane is in another pool now, is no more, or not for them: they run on, and nobody stops them. */
function strayLine(resources: Resources): LaneLine {
  const settings = { pool: '', weight: 1, priority: 0, reclaim: 'never', preempt: 'never' } as const;
  const share = resources.map(() => UNLIMITED);
  return lineOf('', { ...settings, caps: { perLabel: {} } }, { resources, share });
}

function capsOf(
  { user, labels, lane: name }: LaneEntry,
  { settings: { caps } }: LaneLine,
  { caps: known, resources }: { caps: Map<string, Cap>; resources: Resources },
): Cap[] {
  const capOf = (of: string, most: Amounts): Cap => {
    const key = `${name}/${of}`;
    const cap = known.get(key) ?? {
      of,
      most: vectorOf(most, resources, UNLIMITED),
      used: resources.map(() => 0n),
      kept: resources.map(() => 0n),
      neededBy: [],
    };
    known.set(key, cap);
    return cap;
  };
  return [
    ...(caps.perUser && user !== undefined ? [capOf(`user ${user}`, caps.perUser)] : []),
    ...Object.entries(caps.perLabel).flatMap(([key, most]) => {
      const value = ownValue(labels, key);
      return value === undefined ? [] : [capOf(`${key}=${value}`, most)];
    }),
  ];
}

function hold({ entry, lane, demand, caps }: Candidate, place: LaneRoom): void {
  place.occupy(demand, isYielding(entry));
  lane.place.occupy(demand, isYielding(entry));
  addTo(lane.used, demand);
  for (const { used } of caps) addTo(used, demand);
}

function exclusionOf(
  { entry, lane, demand, caps }: Candidate,
  { at, pool, whole, isKnown }: { at: number; pool: string; whole: Vector; isKnown: boolean },
): Exclusion | undefined {
  const { fault } = lane.settings;
  if (fault !== undefined) return { code: 'LaneFaulty', fault };
  const bounds: readonly [string, Vector][] = [
    [`pool ${pool}`, whole],
    [`the limit of lane ${lane.name}`, lane.limit],
    ...caps.map(({ of, most }): [string, Vector] => [`${of} in lane ${lane.name}`, most]),
  ];
  const tooSmall = bounds.find(([, most]) => !fitsInto(demand, most));
  if (tooSmall) return { code: 'NeverFits', of: tooSmall[0], most: tooSmall[1] };
  if (lane.settings.paused !== undefined || lane.settings.drain !== undefined) return { code: 'LanePaused' };
  if (!isKnown) return { code: 'CapacityUnknown' };
  if (entry.heldUntil !== undefined && entry.heldUntil > at)
    return { code: 'BackingOff', until: entry.heldUntil };
  return undefined;
}

/** Divides a pool between its lanes, by what they have and what they could have. */
function divide(lanes: readonly LaneLine[], total: Vector): void {
  const claims = lanes.map(({ settings, queue, used, limit }) => {
    const wanted = [...used];
    // Also those over a cap: else each start would change what lanes deserve.
    for (const one of queue) addTo(wanted, one.demand);
    return {
      weight: settings.weight,
      wanted: smallerOf(wanted, limit),
    };
  });
  for (const [index, deserved] of deservedShares(claims, total).entries()) lanes[index]!.deserved = deserved;
}

/** Returns the cap that keeps a job from starting now. */
export const capReachedBy = (one: Candidate): Cap | undefined =>
  one.caps.find((cap) => !fitsInto(one.demand, leftOf(cap)) || capHolderBefore(one, cap) !== undefined);

/** Returns who has waited so long that a job leaves it what is left of a cap. */
export function capHolderBefore({ demand }: Candidate, cap: Cap): Candidate | undefined {
  const left = leftOf(cap);
  takeFrom(left, demand);
  return cap.closedFor ?? cap.neededBy.find((other) => !fitsInto(other.demand, left));
}

/** What is neither in use nor promised. */
export const leftOf = ({ most, used, kept }: Cap): bigint[] => {
  const left = [...most];
  takeFrom(left, used);
  takeFrom(left, kept);
  return left;
};
