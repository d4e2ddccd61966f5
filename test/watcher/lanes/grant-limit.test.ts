import { expect, it } from '@jest/globals';
import { TURN_MS } from '../../../queue/decide-turns.ts';
import { GrantLimit } from '../../../watcher/lanes/grant-limit.ts';

const START = 1_767_225_600_000;
const given = (count: number, at = START) => Array.from({ length: count }, () => ({ at }));

/** Decisions that have more to give than they may. */
function ofABurst() {
  const limit = new GrantLimit();
  return (untaken: number, afterMs: number, at = START) => {
    const left = limit.left(given(untaken, at), START + afterMs);
    limit.note({ wasReached: true });
    return left;
  };
}

it('fewer are given while others are not taken', () => {
  const left = ofABurst();
  expect([left(0, 0), left(40, 1_000), left(64, 2_000), left(90, 3_000)]).toEqual([64, 24, 0, 0]);
});

it('twice as many are given once all are taken before the next decision', () => {
  const left = ofABurst();
  expect([left(0, 0), left(0, 1_000), left(100, 2_000)]).toEqual([64, 128, 28]);
});

it('as few as at first are given once one has run out, which holds up no other', () => {
  const left = ofABurst();
  left(0, 0);
  left(0, 1);
  expect(left(30, TURN_MS)).toBe(98);
  expect([left(30, TURN_MS + 1), left(30, TURN_MS + 1_000)]).toEqual([64, 128]);
});

it('no more are given where there was nothing more to give', () => {
  const limit = new GrantLimit();
  limit.left([], START);
  limit.note({ wasReached: false });
  expect(limit.left([], START + 1_000)).toBe(64);
});
