import { compareEntries, type LaneEntry } from '../../../../queue/lanes/lane-entry.ts';
import type { Grant, LanesState } from '../../../../queue/lanes/lanes-decision.ts';
import { MINUTE } from '../lanes.ts';
import type { Check, Moment } from '../world.ts';
import { amount, byUid, fits, RESOURCES, roomFor, running } from './arithmetic.ts';

/** Those that pass the first job of a lane do not delay it, and it starts when it was told. */

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
export const backfillDelaysNobody: Check = ({ state, decision, afterwards }) => {
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
