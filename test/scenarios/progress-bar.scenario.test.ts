import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { untilStatus } from './attempts.ts';
import { readCase } from './cases.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** Progress bars end their lines with carriage returns. The local node passes these on at once. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

it('a job with a progress bar reports progress, and does not stall', async () => {
  const job = await stage.client.submit(await readCase('carriage-return-progress/tqdm', stage.namespace));
  await untilStatus(job, 'it has got to step 20', ({ progress }) => Number(progress) >= 20);
  await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed', attempt: 1 });
});

it('the stall of a job has a message if its lines do not match', async () => {
  const silent = await readCase('carriage-return-progress/tqdm', stage.namespace);
  const manifest = { ...silent, metadata: { ...silent.metadata, name: 'unmatched' } };
  const policy = {
    progress: { log: 'iteration (\\d+)', stalledAfter: '3s' },
    failures: { classes: { stalled: { budget: 0 } } },
  };
  const job = await stage.client.submit(withPolicy(manifest, policy));
  const { phase, cause } = await job.wait();
  expect(phase).toBe('Failed');
  expect(cause?.message).toMatch(
    /no progress since it started running; \d+ lines of its log were read, and none matched progress.log/,
  );
});
