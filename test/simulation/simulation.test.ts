import { expect, it } from '@jest/globals';
import { FINDINGS } from './findings.ts';
import { describeFailure, NO_LIMIT_MS, simulate } from './simulate.ts';

/** Schedules that are run: `SIGNALBOX_SIMULATIONS=20000` for a longer search. */
const RUNS = Number(process.env.SIGNALBOX_SIMULATIONS ?? 400);
/** One of them again, as the message of its failure says: `SIGNALBOX_SIMULATION=1/372:0:2`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_SIMULATION?.split('/') ?? [];
/** Each in a thread of its own. */
const THREADS = PATH === undefined ? 2 : 1;

it(
  'jobs end as expected and report the truth, under random faults in random order',
  async () => {
    const seeds = Array.from({ length: THREADS }, (_, index) => Number(SEED) + index);
    const runs = Math.ceil(RUNS / THREADS);
    const failures = await Promise.all(seeds.map((seed) => simulate({ runs, seed, path: PATH })));
    expect(failures.flatMap((failure) => (failure ? [describeFailure(failure)] : []))).toEqual([]);
  },
  NO_LIMIT_MS,
);

it.each(Object.entries(FINDINGS))('a fixed bug does not come back: %s', async (_, schedule) => {
  const failure = await simulate({ schedules: [schedule] });
  expect(failure?.lines.join('\n')).toBeUndefined();
});
