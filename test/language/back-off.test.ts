import { expect, test } from '@jest/globals';
import { BackOff, doubledPause } from '../../language/back-off.ts';

const LIMITS = { firstMs: 500, mostMs: 3_000 };

test('a pause doubles with each failure, up to a limit', () => {
  expect([1, 2, 3, 4, 5_000].map((failures) => doubledPause(LIMITS, failures))).toEqual([
    500, 1_000, 2_000, 3_000, 3_000,
  ]);
});

test('a back-off begins again after a success', () => {
  const pauses = new BackOff(LIMITS);
  expect([pauses.next(), pauses.next()]).toEqual([500, 1_000]);
  pauses.reset();
  expect(pauses.next()).toBe(500);
});
