import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { compareEntries, type LaneEntry } from '../../../queue/lanes/lane-entry.ts';
import type { Grant, LaneStanding, LanesDecision, LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { A_DAY } from './a-day.ts';
import { INVARIANTS, STOPS } from './invariants/invariants.ts';
import { nobodyStarves } from './invariants/starvation.ts';
import { type Check, type Decide, liveThroughLanes } from './world.ts';

/** Each invariant can fail: a decider that is spoiled in one way breaks it within some random days. */
const DAYS = 300;

type Spoil = (decision: LanesDecision, state: LanesState) => LanesDecision;

const spoiled =
  (spoil: Spoil): Decide =>
  (state) =>
    spoil(decideLanes(state), state);

function brokenBy(decide: Decide, check: () => Check): string | undefined {
  const { errorInstance } = fc.check(
    fc.property(A_DAY, (day) => {
      const [broken] = liveThroughLanes(day, [check()], decide);
      if (broken !== undefined) throw new Error(broken);
    }),
    { numRuns: DAYS, seed: 1, endOnFailure: true },
  );
  return errorInstance instanceof Error ? errorInstance.message : undefined;
}

const told = ({ standings }: LanesDecision, code: string): string | undefined =>
  [...standings].find(([, standing]) => standing.code === code)?.[0];

const without = ({ standings }: LanesDecision, uid: string) =>
  new Map([...standings].filter(([other]) => other !== uid));

/** Starts one more. */
function starting(decision: LanesDecision, uid: string | undefined, how: Omit<Grant, 'uid'> = {}) {
  if (uid === undefined) return decision;
  return { ...decision, grants: [...decision.grants, { uid, ...how }], standings: without(decision, uid) };
}

/** Makes one wait that would start. */
function keeping(
  decision: LanesDecision,
  uid: string | undefined,
  code: LaneStanding['code'] = 'WaitingForRoom',
): LanesDecision {
  if (uid === undefined) return decision;
  const standing: LaneStanding = { code, sentence: 'it is spoiled', lane: 'a', of: 1, ahead: [] };
  return {
    ...decision,
    grants: decision.grants.filter((grant) => grant.uid !== uid),
    standings: new Map([...decision.standings, [uid, standing]]),
  };
}

const runningIn = ({ entries }: LanesState): LaneEntry[] =>
  entries.filter(({ granted, yieldsTo }) => granted && !yieldsTo);

const SPOILED: readonly [string, RegExp, () => Check, Decide][] = [
  [
    'more is granted than there is',
    /^I1: .* is granted more than there is/,
    () => INVARIANTS.I1,
    spoiled((decision) => starting(decision, told(decision, 'WaitingForRoom'))),
  ],
  [
    'one job is granted twice',
    /^I2: granted twice/,
    () => INVARIANTS.I2,
    spoiled((decision) => starting(decision, decision.grants[0]?.uid)),
  ],
  [
    'what has a place is granted one',
    /^I2: .* is granted what it has/,
    () => INVARIANTS.I2,
    spoiled((decision, state) => starting(decision, runningIn(state)[0]?.uid)),
  ],
  [
    'the younger of two equal jobs starts',
    /^I3: .* passes .*, which is of the same form/,
    () => INVARIANTS.I3,
    spoiled(theYoungerFirst),
  ],
  [
    'a job passes without a word',
    /^I3: .* passes .* silently/,
    () => INVARIANTS.I3,
    spoiled((decision) => ({
      ...decision,
      grants: decision.grants.map(({ uid }) => ({ uid })),
    })),
  ],
  [
    'backfill delays the first job',
    /^I4: /,
    () => INVARIANTS.I4,
    (state) => {
      const decision = decideLanes({ ...state, lanes: { ...state.lanes, backfill: 'any' } });
      const grants = decision.grants.map((grant) => ({ ...grant }));
      return { ...decision, grants };
    },
  ],
  [
    'a job never starts',
    /^I5: .* is waiting for ever/,
    () => () => [],
    spoiled((decision) => keeping(decision, decision.grants.find(({ uid }) => uid === 'job-00')?.uid)),
  ],
  ['the job that nothing may delay is passed', /^I5: .* must have started/, nobodyStarves, neverTheStrict()],
  [
    'what is freed is used by nobody',
    /^I6: .* has its room and does not start/,
    () => INVARIANTS.I6,
    spoiled((decision) =>
      keeping(decision, decision.grants.find(({ after }) => after)?.uid, 'CapacityBeingFreed'),
    ),
  ],
  [
    'the order of what is read decides',
    /^I7: another order gives another decision/,
    () => INVARIANTS.I7,
    spoiled((decision, { entries }) => (isReversed(entries) ? { ...decision, grants: [] } : decision)),
  ],
  [
    'one start is left for the next decision',
    /^I7: .* starts once it is decided again/,
    () => INVARIANTS.I7,
    spoiled((decision) => keeping(decision, decision.grants[1]?.uid)),
  ],
  [
    'one who has to stop is left for the next decision',
    /^I7: .* gives back once it is decided again/,
    () => INVARIANTS.I7,
    spoiled((decision) => (decision.grants.length > 0 ? { ...decision, yields: [] } : decision)),
  ],
  [
    'a job is told nothing',
    /^I8: .* wait$/,
    () => INVARIANTS.I8,
    spoiled((decision) => ({
      ...decision,
      standings: without(decision, told(decision, 'LanePaused') ?? ''),
    })),
  ],
  [
    'a pool idles',
    /^I9: .* waits for an idle pool/,
    () => INVARIANTS.I9,
    spoiled((decision, state) => (runningIn(state).length === 0 ? { ...decision, grants: [] } : decision)),
  ],
  [
    'a job that fits waits behind nobody',
    /^I9: .* fits and waits behind nobody/,
    () => INVARIANTS.I9,
    spoiled((decision, state) => (runningIn(state).length > 0 ? { ...decision, grants: [] } : decision)),
  ],
  [
    'a job is told no reason',
    /^I10: .* is not told why it waits/,
    () => INVARIANTS.I10,
    spoiled((decision) => ({
      ...decision,
      standings: new Map([...decision.standings].map(([uid, one]) => [uid, { ...one, sentence: '' }])),
    })),
  ],
  [
    'reasons change by themselves',
    /^I10: .* waits for .*, then for/,
    () => INVARIANTS.I10,
    spoiled((decision, { at }) => {
      const uid = told(decision, 'WaitingForRoom');
      return at % 2 === 0 ? decision : keeping(decision, uid, 'WaitingForTurn');
    }),
  ],
  [
    'time alone starts a job',
    /^I10: .* starts at .*, although nothing happened/,
    () => INVARIANTS.I10,
    spoiled((decision, { at }) => (at % 2 === 0 ? keeping(decision, decision.grants[0]?.uid) : decision)),
  ],
  [
    'more jobs stop than are allowed to',
    /^R: /,
    () => STOPS.needed,
    spoiled((decision, state) => {
      const [victim] = runningIn(state);
      const to = told(decision, 'WaitingForRoom');
      if (!victim || !to) return decision;
      const { uid } = victim;
      return { ...decision, yields: [{ uid, to, reason: 'Reclaimed', lostMs: 0, sentence: 'spoiled' }] };
    }),
  ],
  [
    'a job is stopped again and again',
    /^R: .* was stopped \d+ times/,
    () => STOPS.pingPong,
    spoiled((decision, { entries }) => ({
      ...decision,
      yields: entries.flatMap(({ uid, granted, yieldsTo }) =>
        granted && !yieldsTo
          ? [{ uid, to: 'nobody', reason: 'Reclaimed', lostMs: 0, sentence: 'spoiled' }]
          : [],
      ),
    })),
  ],
];

function theYoungerFirst(decision: LanesDecision, { entries }: LanesState): LanesDecision {
  const byUid = new Map(entries.map((entry) => [entry.uid, entry]));
  for (const grant of decision.grants) {
    const one = byUid.get(grant.uid)!;
    const younger = [...decision.standings.keys()].find((uid) => isLike(one, byUid.get(uid)!));
    if (younger) return starting(keeping(decision, grant.uid), younger);
  }
  return decision;
}

const isLike = (one: LaneEntry, other: LaneEntry): boolean =>
  one.lane === other.lane && compareEntries(one, other) < 0 && formOf(one) === formOf(other);

const formOf = ({ demand, durationMs, user }: LaneEntry): string =>
  JSON.stringify([[...demand].map(([resource, { nanos }]) => [resource, String(nanos)]), durationMs, user]);

const isReversed = (entries: readonly LaneEntry[]): boolean =>
  entries.length > 1 && entries[0]!.uid > entries.at(-1)!.uid;

/** Whoever is told that nothing may delay it is told so for ever. */
function neverTheStrict(): Decide {
  const strict = new Map<string, LanesDecision['standings']>();
  return spoiled((decision) => {
    for (const [uid, { sentence }] of decision.standings)
      if (sentence.endsWith(': nothing may delay it')) strict.set(uid, decision.standings);
    const uid = decision.grants.find((grant) => strict.has(grant.uid))?.uid;
    if (uid === undefined) return decision;
    const standing = strict.get(uid)!.get(uid)!;
    return { ...keeping(decision, uid), standings: new Map([...decision.standings, [uid, standing]]) };
  });
}

describe('an invariant of lanes', () => {
  it.each(SPOILED)('fails if %s', (_, message, check, decide) => {
    expect(brokenBy(decide, check)).toMatch(message);
  });
});
