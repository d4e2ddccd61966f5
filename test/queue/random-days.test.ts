import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TIMES } from '../times.ts';
import { A_DAY, liveThrough } from './world.ts';

describe('a random day of gated gangs', () => {
  it('keeps what is promised', () => {
    fc.assert(
      fc.property(A_DAY, (day) => {
        expect(liveThrough(day)).toEqual([]);
      }),
      { numRuns: 10 * TIMES },
    );
  });

  it('has gangs that run, and some that are rolled back', () => {
    const days = fc.sample(A_DAY, { numRuns: 15, seed: 7 });
    const totals = { placed: 0, rolledBack: 0, onQuota: 0, takeOvers: 0 };
    for (const day of days) liveThrough(day, totals);
    expect(totals.placed).toBeGreaterThan(15);
    expect(totals.rolledBack).toBeGreaterThan(1);
    expect(totals.onQuota).toBeGreaterThan(2);
    expect(totals.takeOvers).toBeGreaterThan(2);
  });
});
