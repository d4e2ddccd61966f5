import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TIMES } from '../../times.ts';
import { A_DAY_OF_LEADERS, liveThroughLeaders, SOME_CLOCKS } from './days-of-leaders.ts';

/** As for the random days of lanes (test/queue/lanes). A day takes ten times as long here. */
const { SIGNALBOX_LANE_DAY } = process.env;
const SEEDS = SIGNALBOX_LANE_DAY === undefined ? [1, 2] : [Number(SIGNALBOX_LANE_DAY)];
const DAYS = (40 * TIMES) / SEEDS.length;
/** Some ten times what they take on a machine that does nothing else. */
const LIMIT_MS = 60_000 + 500 * DAYS;

describe.each(SEEDS)('on a random day of leaders, from seed %i on,', (seed) => {
  const options = { numRuns: DAYS, seed };

  it(
    'lanes never have more than they may, and every job has its turn, whatever the clocks of watcher and worker say',
    () => {
      fc.assert(
        fc.property(A_DAY_OF_LEADERS, SOME_CLOCKS, (day, clocks) => {
          const { trace, broken } = liveThroughLeaders(day);
          expect(broken).toEqual([]);
          expect(liveThroughLeaders(day, clocks).trace).toEqual(trace);
        }),
        options,
      );
    },
    LIMIT_MS,
  );
});
