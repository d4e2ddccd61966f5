import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { A_DAY, A_QUIET_DAY } from './a-day.ts';
import { CHECKS, nobodyStarves, startsComeTrue } from './invariants.ts';
import { liveThroughLanes } from './world.ts';

/** SIGNALBOX_LANE_DAYS: how many days are lived through. SIGNALBOX_LANE_DAY: from which seed on; the long test has others each time. */
const DAYS = Number(process.env.SIGNALBOX_LANE_DAYS ?? 150);
const options = { numRuns: DAYS, seed: Number(process.env.SIGNALBOX_LANE_DAY ?? 1) };
/** Some ten times what they take on a machine that does nothing else. */
const LIMIT_MS = 60_000 + 50 * DAYS;

describe('a random day of lanes', () => {
  it(
    'keeps what is promised',
    () => {
      fc.assert(
        fc.property(A_DAY, (day) => {
          expect(liveThroughLanes(day, [...CHECKS, nobodyStarves()])).toEqual([]);
        }),
        options,
      );
    },
    LIMIT_MS,
  );

  it(
    'starts jobs when it has said, if nobody interferes',
    () => {
      fc.assert(
        fc.property(A_QUIET_DAY, (day) => {
          expect(liveThroughLanes(day, [...CHECKS, nobodyStarves(), startsComeTrue()])).toEqual([]);
        }),
        options,
      );
    },
    LIMIT_MS,
  );
});
