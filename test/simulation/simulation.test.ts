import { expect, it } from '@jest/globals';
import { FINDINGS } from './findings.ts';
import { describeFailure, NO_LIMIT_MS, SCHEDULES, simulate } from './simulate.ts';

/** One of them again, as the message of its failure says: `SIGNALBOX_SIMULATION=1/372:0:2`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_SIMULATION?.split('/') ?? [];

it(
  'jobs end as expected and report the truth, under random faults in random order',
  async () => {
    const failure = await simulate({ runs: SCHEDULES, seed: Number(SEED), path: PATH });
    expect(failure && describeFailure(failure)).toBeUndefined();
  },
  NO_LIMIT_MS,
);

it('no fixed bug comes back', async () => {
  const failure = await simulate({ findings: FINDINGS });
  expect(failure?.lines.join('\n')).toBeUndefined();
});
