import { expect, it } from '@jest/globals';
import { FINDINGS } from './findings.ts';
import { describeFailure, NO_LIMIT_MS, SCHEDULES, simulate } from './simulate.ts';

/** One of them again, as the message of its failure says: `SIGNALBOX_SIMULATION=1/372:0:2`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_SIMULATION?.split('/') ?? [];
/** Each in a thread of its own. */
const THREADS = PATH === undefined ? 2 : 1;

it(
  'jobs end as expected and report the truth, under random faults in random order',
  async () => {
    const seeds = Array.from({ length: THREADS }, (_, index) => Number(SEED) + index);
    const runs = Math.ceil(SCHEDULES / THREADS);
    const failures = await Promise.all(seeds.map((seed) => simulate({ runs, seed, path: PATH })));
    expect(failures.flatMap((failure) => (failure ? [describeFailure(failure)] : []))).toEqual([]);
  },
  NO_LIMIT_MS,
);

it('no fixed bug comes back', async () => {
  const failure = await simulate({ findings: FINDINGS });
  expect(failure?.lines.join('\n')).toBeUndefined();
});
