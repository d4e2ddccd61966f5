import { describe, expect, it } from '@jest/globals';
import type { WaitReason } from '../../contracts/types.ts';
import type { WaitAnswer } from '../../explain/answer.ts';
import { UNKNOWN_PREEMPTION } from '../../explain/preemption.ts';
import { type Found, faultsOf, type Outcome } from './verdict.ts';

const RUNS: Outcome = {
  refused: [],
  pods: 2,
  placed: 2,
  said: [],
  preempted: 0,
  lacking: [],
  awaitsVolume: 0,
};
const WAITS: Outcome = { ...RUNS, placed: 1, said: ['0/3 nodes are available: 3 Insufficient cpu.'] };

const answer = (...reasons: Partial<WaitReason>[]): WaitAnswer => ({
  reasons: reasons.map((one) => ({ code: 'NotEnoughRoom', sentence: 'no room', who: 'nobody', ...one })),
  ...{ placements: [], unknown: [] },
});
const FREE = answer();
const ROOM = answer({});
const REMOVES = answer({ code: 'RoomByPreemption' });
const YOU = answer({ code: 'NoNodeMatches', who: 'you' });

const namesOf = (found: Found) => faultsOf(found).map(({ name }) => name);

describe('an answer is wrong', () => {
  it.each<[string, Found]>([
    ['startsButRefused', { answer: FREE, now: { ...RUNS, placed: 0, refused: ['exceeded quota'] } }],
    ['startsButUnplaced', { answer: FREE, now: WAITS }],
    ['startsButUnplaced', { answer: FREE, now: { ...RUNS, lacking: ['Secret keys'] } }],
    ['blockedButRuns', { answer: YOU, now: RUNS }],
    ['waitsButRuns', { answer: ROOM, now: RUNS }],
    ['preemptsButWaits', { answer: REMOVES, now: WAITS, emptied: RUNS }],
    ['waitsButPreempts', { answer: ROOM, now: { ...RUNS, preempted: 1 } }],
    ['waitsButNever', { answer: ROOM, now: WAITS, emptied: WAITS }],
    ['blockedButPasses', { answer: YOU, now: WAITS, emptied: RUNS }],
    ['silentLive', { answer: ROOM, now: { ...WAITS, live: FREE } }],
    ['silentLive', { answer: FREE, now: { ...RUNS, awaitsVolume: 1, live: FREE } }],
    [
      'roomBesideNone',
      {
        answer: ROOM,
        now: { ...WAITS, live: answer({ sentence: 'there is room; spread is not computed' }) },
      },
    ],
  ])('%s', (name, found) => {
    expect(namesOf(found)).toEqual([name]);
  });
});

describe('an answer is right', () => {
  it.each<[string, Found]>([
    ['of a job that starts', { answer: FREE, now: RUNS }],
    ['of a job that has to wait', { answer: ROOM, now: WAITS, emptied: RUNS }],
    ['of a job for which others are removed', { answer: REMOVES, now: { ...RUNS, preempted: 1 } }],
    [
      'of a job for which it is not known whether others are removed',
      { answer: { ...ROOM, unknown: [UNKNOWN_PREEMPTION] }, now: { ...RUNS, preempted: 1 } },
    ],
    ['of a job that somebody must change', { answer: YOU, now: WAITS, emptied: WAITS }],
    [
      'that says it is not computed',
      { answer: answer({ code: 'NotComputed', who: 'unknown' }), now: WAITS, emptied: WAITS },
    ],
    [
      'that says it is not known whether waiting is enough',
      { answer: answer({ who: 'unknown' }), now: WAITS, emptied: WAITS },
    ],
  ])('%s', (_, found) => {
    expect(namesOf(found)).toEqual([]);
  });
});
