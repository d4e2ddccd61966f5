import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TIMES } from '../../times.ts';
import { A_DAY, A_QUIET_DAY } from './a-day.ts';
import { startsComeTrue } from './invariants/backfill.ts';
import { CHECKS } from './invariants/invariants.ts';
import { nobodyStarves } from './invariants/starvation.ts';
import { liveThroughLanes } from './world.ts';

/** From which seed on days are lived through; the long test has another each time. */
const { SIGNALBOX_LANE_DAY } = process.env;
const SEEDS = SIGNALBOX_LANE_DAY === undefined ? [1, 2, 3, 4] : [Number(SIGNALBOX_LANE_DAY)];
const DAYS = (100 * TIMES) / SEEDS.length;
/** Some ten times what they take on a machine that does nothing else. */
const LIMIT_MS = 60_000 + 50 * DAYS;

describe.each(SEEDS)('a random day of lanes, from seed %i on,', (seed) => {
  const options = { numRuns: DAYS, seed };

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
