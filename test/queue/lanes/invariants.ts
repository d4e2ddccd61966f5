import { isDeepStrictEqual } from 'node:util';
import type { Amounts } from '../../../contracts/pod-requests.ts';
import { compareEntries, type LaneEntry, waitsSince } from '../../../queue/lanes/lane-entry.ts';
import { LANE_REASONS } from '../../../queue/lanes/lane-reasons.ts';
import type { Grant, LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { GPU, MINUTE } from './lanes.ts';
import type { Check, Moment } from './world.ts';

/** What holds on every day, each told by itself, with arithmetic of its own. */

const RESOURCES = [GPU, 'cpu'] as const;

const amount = (amounts: Amounts | undefined, resource: string): number =>
  Number(amounts?.get(resource)?.nanos ?? 0n) / 1e9;

const sum = (entries: readonly LaneEntry[], resource: string): number =>
  entries.reduce((total, { demand }) => total + amount(demand, resource), 0);

const running = ({ entries }: LanesState) => entries.filter(({ granted }) => granted);
const waiting = ({ entries }: LanesState) => entries.filter(({ granted }) => !granted);
const byUid = ({ entries }: LanesState, uid: string) => entries.find((entry) => entry.uid === uid)!;

/** What a job that waits may have of everything: what is free of the pool, its lane and its caps. */
function roomFor({ lane, user }: LaneEntry, state: LanesState, held: readonly LaneEntry[]) {
  const { limit, caps } = state.lanes.lanes[lane]!;
  const ofLane = held.filter((entry) => entry.lane === lane);
  return RESOURCES.map((resource) => {
    const bounds = [amount(state.capacity.get('gpus'), resource) - sum(held, resource)];
    if (limit?.has(resource)) bounds.push(amount(limit, resource) - sum(ofLane, resource));
    if (user && caps.perUser?.has(resource)) {
      const own = ofLane.filter((entry) => entry.user === user);
      bounds.push(amount(caps.perUser, resource) - sum(own, resource));
    }
    return Math.min(...bounds);
  });
}

const fits = (entry: LaneEntry, room: readonly number[]) =>
  RESOURCES.every((resource, r) => {
    const need = amount(entry.demand, resource);
    return need === 0 || need <= room[r]!;
  });

/** Σ grants ≤ capacity, per resource; no limit and no cap is exceeded by a grant. */
const capacityIsKept: Check = ({ state, decision, afterwards }) => {
  const held = running(afterwards);
  return decision.grants.flatMap(({ uid }) => {
    const one = byUid(afterwards, uid);
    const room = roomFor(one, afterwards, held);
    const isOver = RESOURCES.some((resource, r) => amount(one.demand, resource) > 0 && room[r]! < 0);
    return isOver ? [`I1: ${uid} is granted more than there is at ${state.at}`] : [];
  });
};

/** A grant is for one job that waits; who gives back holds something, and was not told before. */
const grantsAreForOne: Check = ({ state, decision }) => {
  const broken: string[] = [];
  const granted = decision.grants.map(({ uid }) => uid);
  if (new Set(granted).size < granted.length) broken.push('I2: granted twice');
  for (const uid of granted) if (byUid(state, uid)?.granted) broken.push(`I2: ${uid} is granted what it has`);
  for (const { uid, to } of decision.yields) {
    const one = byUid(state, uid);
    if (!one?.granted || one.yieldsTo) broken.push(`I2: ${uid} cannot give back`);
    // It may start at once with what others would wait for, who then get what is given back.
    const start = decision.grants.find((grant) => grant.uid === to);
    if (byUid(state, to)?.granted || (start && !start.after?.includes(uid)))
      broken.push(`I2: ${to} needs nothing of ${uid}`);
  }
  return broken;
};

/** Nobody passes an earlier job of its lane that could start as well as it, or says so. */
const orderIsKept: Check = ({ state, decision, afterwards }) =>
  decision.grants.flatMap((grant) => {
    const one = byUid(state, grant.uid);
    const passed = waiting(afterwards).filter(
      (other) => other.lane === one.lane && compareEntries(other, one) < 0 && isOpen(other, afterwards),
    );
    return passed.flatMap((other) => {
      const isEqual =
        sameDemand(other, one) &&
        other.durationMs === one.durationMs &&
        other.user === one.user &&
        !grant.after;
      if (isEqual) return [`I3: ${one.uid} passes ${other.uid}, which is of the same form`];
      const isCapped = decision.standings.get(other.uid)?.code === 'CapReached';
      return grant.backfilled || grant.after || isCapped
        ? []
        : [`I3: ${one.uid} passes ${other.uid} silently`];
    });
  });

const sameDemand = (a: LaneEntry, b: LaneEntry) =>
  RESOURCES.every((resource) => amount(a.demand, resource) === amount(b.demand, resource));

/** Nothing but its place keeps it from starting. */
function isOpen(entry: LaneEntry, { lanes, at, capacity }: LanesState): boolean {
  const { limit, caps, paused, drain } = lanes.lanes[entry.lane]!;
  if (paused !== undefined || drain !== undefined) return false;
  if (entry.heldUntil !== undefined && entry.heldUntil > at) return false;
  const most = RESOURCES.map((resource) =>
    Math.min(
      amount(capacity.get('gpus'), resource),
      limit?.has(resource) ? amount(limit, resource) : Number.POSITIVE_INFINITY,
      entry.user && caps.perUser?.has(resource) ? amount(caps.perUser, resource) : Number.POSITIVE_INFINITY,
    ),
  );
  return fits(entry, most);
}

/** When a job could start if others ended as they declare, or what it would have if any of them ended first. */
function planOf(entry: LaneEntry, held: readonly LaneEntry[], state: LanesState) {
  // One that has run for longer than it declared may end at any moment.
  const endOf = (one: LaneEntry) =>
    one.durationMs === undefined || one.yieldsTo
      ? Number.POSITIVE_INFINITY
      : Math.max(state.at, (one.granted!.startedAt ?? state.at) + one.durationMs);
  const room = withoutCaps(entry, state, held);
  if (fits(entry, room)) return { start: undefined, room };
  const ends = held.map(endOf).filter(Number.isFinite);
  const roomAt = (time: number) =>
    withoutCaps(
      entry,
      state,
      held.filter((one) => endOf(one) > time),
    );
  return { start: ends.sort((a, b) => a - b).find((time) => fits(entry, roomAt(time))), room };
}

const withoutCaps = ({ user: _, ...entry }: LaneEntry, state: LanesState, held: readonly LaneEntry[]) =>
  roomFor(entry, state, held);

/** Backfill never moves the start of the first job of a lane: with declared ends, and where these are not known. */
const backfillDelaysNobody: Check = ({ state, decision, afterwards }) => {
  if (state.lanes.backfill !== 'safe') return [];
  const stopping = new Set(decision.yields.map(({ uid }) => uid));
  const held = running(afterwards).map((one) =>
    stopping.has(one.uid) ? { ...one, yieldsTo: 'somebody' } : one,
  );
  const later = new Set(decision.grants.map(({ uid }) => uid));
  return stepsOf(decision).flatMap((step) => {
    for (const { uid } of step) later.delete(uid);
    const known = held.filter(({ uid }) => !later.has(uid));
    const filled = new Set(step.filter(({ backfilled }) => backfilled).map(({ uid }) => uid));
    return headsOf({ state, decision }).flatMap((head) =>
      delaysBy(head, { filled, held: known, decision, afterwards }),
    );
  });
};

/** What starts by turns, then what passes it; whose turn it is may be another then. */
function stepsOf({ grants }: Moment['decision']): Grant[][] {
  const steps: Grant[][] = [[]];
  for (const [index, grant] of grants.entries()) {
    if (!grant.backfilled && grants[index - 1]?.backfilled) steps.push([]);
    steps.at(-1)!.push(grant);
  }
  return steps;
}

interface Step extends Pick<Moment, 'decision' | 'afterwards'> {
  readonly filled: ReadonlySet<string>;
  readonly held: readonly LaneEntry[];
}

function delaysBy(head: LaneEntry, { filled, held, decision, afterwards }: Step): string[] {
  if (filled.size === 0) return [];
  // Other lanes leave no room of the pool to a job that only the limit of its lane holds back.
  const isLimited = decision.standings.get(head.uid)?.code === 'LimitReached';
  const counts = ({ uid, lane }: LaneEntry) => filled.has(uid) && (!isLimited || lane === head.lane);
  const planned = planOf(
    head,
    held.filter((one) => !counts(one)),
    afterwards,
  );
  // It waits behind another one, not for room.
  if (fits(head, planned.room)) return [];
  const now = planOf(head, held, afterwards);
  if (planned.start !== undefined)
    return now.start !== undefined && now.start <= planned.start
      ? []
      : [`I4: ${head.uid} could start at ${planned.start}, and now at ${now.start}`];
  const misses = RESOURCES.some((resource, r) => {
    const need = amount(head.demand, resource);
    return Math.min(need, now.room[r]!) < Math.min(need, planned.room[r]!);
  });
  return misses ? [`I4: ${head.uid} has less of what it waits for`] : [];
}

/** The first jobs of lanes that wait for room. */
const headsOf = ({ state, decision }: Pick<Moment, 'state' | 'decision'>) =>
  [...decision.standings]
    .filter(([, { code }]) => code === 'WaitingForRoom' || code === 'LimitReached')
    .filter(([, { sentence }]) => sentence.startsWith('it is the next'))
    .map(([uid]) => byUid(state, uid));

/** Whose room is free has it at once, and nobody holds it back for somebody who cannot come. */
const freedRoomIsUsed: Check = ({ decision, afterwards }) =>
  [...decision.standings].flatMap(([uid, { code }]) => {
    if (code !== 'CapacityBeingFreed') return [];
    const one = byUid(afterwards, uid);
    const held = running(afterwards);
    const isFirst = [...decision.standings].filter(([, { code: other }]) => other === code).length === 1;
    const isNew = decision.yields.some(({ to }) => to === uid);
    return isFirst && !isNew && fits(one, roomFor(one, afterwards, held))
      ? [`I6: ${uid} has its room and does not start`]
      : [];
  });

/** The same state gives the same decision, in any order, and to a new leader that reads it from JSON. */
const decisionsAreRepeatable: Check = ({ state, decision, afterwards, decide }) => {
  const broken: string[] = [];
  const again = decide({ ...state, entries: state.entries.toReversed() });
  if (!isDeepStrictEqual(asData(again), asData(decision)))
    broken.push('I7: another order gives another decision');
  const { grants, yields } = decide(afterwards);
  for (const { uid } of grants) broken.push(`I7: ${uid} starts once it is decided again`);
  for (const { uid } of yields) broken.push(`I7: ${uid} gives back once it is decided again`);
  return broken;
};

const asData = ({ grants, yields, standings, lanes }: Moment['decision']) => ({
  ...{ grants, yields, lanes },
  standings: [...standings].sort(([a], [b]) => (a < b ? -1 : 1)),
});

/** Each job that waits is granted or goes on waiting, never both; those that hold something are left alone. */
const nobodyIsLost: Check = ({ state, decision, world }) => {
  const told = [...decision.grants.map(({ uid }) => uid), ...decision.standings.keys()].sort();
  const should = waiting(state)
    .map(({ uid }) => uid)
    .sort();
  const known = world.jobs.filter(({ state: is }) => ['waiting', 'running', 'yielding'].includes(is)).length;
  return [
    ...(isDeepStrictEqual(told, should) ? [] : [`I8: ${told.join()} are told, ${should.join()} wait`]),
    ...(known === state.entries.length ? [] : [`I8: ${known} jobs live, ${state.entries.length} are known`]),
  ];
};

/** Where nothing is in the way, the first job of a lane that fits starts. */
const nothingIdles: Check = ({ decision, afterwards }) => {
  const held = running(afterwards);
  const open = waiting(afterwards).filter((one) => isOpen(one, afterwards));
  const free = open.filter((one) => fits(one, roomFor(one, afterwards, held)));
  if (held.length === 0 && free.length > 0) return [`I9: ${free[0]!.uid} waits for an idle pool`];
  // Whoever fits is behind somebody who does not.
  const isHeldUp = free.length > 0 && open.length === free.length && decision.yields.length === 0;
  const isOwed = open.some(({ uid }) => decision.standings.get(uid)?.code === 'CapacityBeingFreed');
  const isClosed = open.some(({ uid }) => decision.standings.get(uid)?.code === 'CapReached');
  return isHeldUp && !isOwed && !isClosed ? [`I9: ${free[0]!.uid} fits and waits behind nobody`] : [];
};

/** Everybody who waits has one reason, with words, and a minute later the same one if nothing has happened. */
const reasonsAreStable: Check = ({ decision, afterwards, decide }) => {
  const broken: string[] = [];
  for (const [uid, { code, sentence, position, of }] of decision.standings) {
    if (!(code in LANE_REASONS) || sentence.length < 10) broken.push(`I10: ${uid} is not told why it waits`);
    if (position !== undefined && (position < 1 || position > of))
      broken.push(`I10: ${uid} is ${position} of ${of}`);
  }
  const quiet = { ...afterwards, at: afterwards.at + 1 };
  if (timesOf(afterwards).includes(quiet.at)) return broken;
  const later = decide(quiet);
  for (const { uid } of later.grants)
    broken.push(`I10: ${uid} starts at ${quiet.at}, although nothing happened`);
  for (const [uid, { code }] of later.standings) {
    const before = decision.standings.get(uid);
    if (before && before.code !== code) broken.push(`I10: ${uid} waits for ${before.code}, then for ${code}`);
  }
  return broken;
};

/** When something changes by itself. */
const timesOf = ({ entries, lanes }: LanesState): number[] =>
  entries.flatMap(({ granted, durationMs = 0, since, requeuedAt = 0, heldUntil = 0 }) => [
    ...(granted ? [granted.at + durationMs] : []),
    Math.max(since, requeuedAt) + lanes.starveAfterMs,
    heldUntil,
  ]);

/** Who stops has more than it deserves, or a lower priority, and every one that stops is needed. */
const onlyTheNeededStop: Check = ({ state, decision, afterwards }) => {
  const broken: string[] = [];
  const views = new Map(decision.lanes.map((view) => [view.lane, view]));
  for (const [to, yields] of Map.groupBy(decision.yields, (one) => one.to)) {
    const winner = byUid(state, to);
    const victims = yields.map(({ uid }) => byUid(state, uid));
    const { reclaim, preempt } = state.lanes.lanes[winner.lane]!;
    for (const { uid, reason } of yields) {
      const victim = byUid(state, uid);
      const isOwn = victim.lane === winner.lane;
      if (reason === 'Preempted' && !(isOwn && preempt === 'lower' && victim.priority < winner.priority))
        broken.push(`R: ${uid} must not be preempted by ${to}`);
      if (reason === 'Reclaimed' && (isOwn || reclaim !== 'borrowed'))
        broken.push(`R: ${uid} must not be reclaimed`);
      const { deserved } = views.get(victim.lane)!;
      const ofLane = running(afterwards).filter(({ lane }) => lane === victim.lane);
      const isAbove = RESOURCES.some((resource) => sum(ofLane, resource) > amount(deserved, resource));
      if (reason === 'Reclaimed' && !isAbove)
        broken.push(`R: lane ${victim.lane} has no more than it deserves`);
      const waited = victim.granted!.at - Math.max(victim.since, victim.requeuedAt ?? 0);
      if (reason === 'Reclaimed' && waited >= state.lanes.starveAfterMs)
        broken.push(`R: ${uid} has starved before, and is stopped`);
    }
    if (yields.some(({ reason }) => reason === 'Reclaimed')) {
      // What starts by backfill takes what is left then.
      const filled = new Set(decision.grants.filter(({ backfilled }) => backfilled).map(({ uid }) => uid));
      // The winner may be among those that start at once.
      const ofLane = running(afterwards).filter(
        ({ lane, uid }) => lane === winner.lane && uid !== to && !filled.has(uid),
      );
      const { deserved } = views.get(winner.lane)!;
      const takesMore = RESOURCES.some(
        (resource) =>
          amount(winner.demand, resource) > 0 &&
          sum([...ofLane, winner], resource) > amount(deserved, resource),
      );
      if (takesMore) broken.push(`R: ${to} takes more than its lane deserves`);
    }
    for (const { uid } of victims)
      if (decision.yields.filter((one) => one.uid === uid).length > 1) broken.push(`R: ${uid} stops for two`);
  }
  return broken;
};

/** Work that was stopped is not stopped for ever. */
const MOST_STOPS = 12;
const nobodyPingPongs: Check = ({ world }) =>
  world.jobs.flatMap(({ uid, stops }) =>
    stops > MOST_STOPS ? [`R: ${uid} was stopped ${stops} times`] : [],
  );

/** Which jobs nothing may pass, since when, and until when they must have started. */
export function nobodyStarves(): Check {
  const bounds = new Map<string, number>();
  return ({ state, decision, afterwards, acts, world }) => {
    const strict = [...decision.standings].find(([, { sentence }]) =>
      /it has waited for .*: nothing may delay it$/.test(sentence),
    )?.[0];
    const isOwed = [...decision.standings.values()].some(({ code }) => code === 'CapacityBeingFreed');
    if (acts.length > 0 || isOwed) bounds.clear();
    for (const uid of bounds.keys()) if (uid !== strict) bounds.delete(uid);
    if (!strict || isOwed) return [];
    // Whatever runs ends by its declaration, or when it is done; what starts meanwhile runs on for 4 minutes at most.
    const ends = running(afterwards).map(({ uid, granted, durationMs = 0 }) => {
      const { left, goneAt = 0, startedAt = 0 } = world.job(uid);
      return Math.max(startedAt + left, goneAt, (granted?.startedAt ?? 0) + durationMs) + 4 * MINUTE;
    });
    const head = byUid(state, strict);
    // Jobs of its lane with a higher priority, and others that wait for longer, come before it.
    const isPassed = decision.grants.some(({ uid }) => {
      const one = byUid(state, uid);
      return (one.lane === head.lane && compareEntries(one, head) < 0) || waitsSince(one) <= waitsSince(head);
    });
    const bound = (isPassed ? undefined : bounds.get(strict)) ?? Math.max(...ends);
    bounds.set(strict, bound);
    return state.at > bound
      ? [`I5: ${strict} must have started ${(state.at - bound) / MINUTE} minutes ago`]
      : [];
  };
}

/** On a quiet day a start that was told comes true; later at most by what jobs ran longer than they declared. */
export function startsComeTrue(): Check {
  const told = new Map<string, number>();
  return ({ state, decision, world }) => {
    const overrun = Math.max(
      0,
      ...world.jobs.map(({ spec: { declares } }) => (declares === 'less' ? 4 * MINUTE : 0)),
    );
    const broken: string[] = [];
    for (const [uid, start] of told) {
      const isPassed = state.entries.some(
        (entry) => entry.since === state.at && compareEntries(entry, byUid(state, uid) ?? entry) < 0,
      );
      if (isPassed || byUid(state, uid)?.granted) told.delete(uid);
      else if (decision.standings.has(uid) && state.at >= start + overrun)
        broken.push(`I4: ${uid} was to start at ${new Date(start).toISOString()}`);
    }
    for (const [uid, { earliestStart, position }] of decision.standings)
      if (position === 1 && earliestStart !== undefined && !told.has(uid)) told.set(uid, earliestStart);
    return broken;
  };
}

/** By the names that docs/decisions/0085 gives them; those that look at one decision. */
export const INVARIANTS = {
  I1: capacityIsKept,
  I2: grantsAreForOne,
  I3: orderIsKept,
  I4: backfillDelaysNobody,
  I6: freedRoomIsUsed,
  I7: decisionsAreRepeatable,
  I8: nobodyIsLost,
  I9: nothingIdles,
  I10: reasonsAreStable,
} as const;

/** Of reclaim and preemption. */
export const STOPS = { needed: onlyTheNeededStop, pingPong: nobodyPingPongs } as const;

export const CHECKS: readonly Check[] = [...Object.values(INVARIANTS), ...Object.values(STOPS)];
