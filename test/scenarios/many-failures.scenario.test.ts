import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { MOST_FAILURES } from '../../contracts/digest.ts';
import { eventually } from '../eventually.ts';
import { renewed, untilRestarted } from './attempts.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** More pods fail at once than a digest describes. */

const WORKERS = MOST_FAILURES + 10;
/** They are many for a machine that has other things to do. */
const START = { withinMs: 200_000 };
const TEST_MS = 400_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage?.close());

async function running(name: string, runPolicy: object): Promise<JobHandle> {
  const { namespace } = stage;
  const worker = { replicas: WORKERS, restartPolicy: 'ExitCode' };
  const manifest = simulatedJob({
    name,
    namespace,
    worker,
    runPolicy: { cleanPodPolicy: 'All', ...runPolicy },
  });
  const job = await stage.client.submit(manifest);
  await eventually('all pods are there', async () => (await stage.pods(name)).length > WORKERS, START);
  await untilPhase(job, 'Running');
  return job;
}

const failWorkers = (name: string, exitCodeOf: (index: number) => number) =>
  Promise.all(
    Array.from({ length: WORKERS }, (_, index) =>
      stage.endPod(`${name}-worker-${index}`, { exitCode: exitCodeOf(index) }),
    ),
  );

describe(`${WORKERS} failures at once`, () => {
  it(
    'are charged once, and replaced',
    async () => {
      const job = await running('many', { backoffLimit: 200 });
      const before = await stage.pods('many');
      await failWorkers('many', () => 137);
      await untilRestarted(job, WORKERS);
      const after = await stage.pods('many');
      expect(renewed(before, after)).toHaveLength(WORKERS);
      expect(after.map(({ status }) => status?.phase)).toEqual(Array(WORKERS + 1).fill('Running'));
      await job.stop({});
      await job.wait();
    },
    TEST_MS,
  );

  it(
    'end the job if one is permanent, also as the last',
    async () => {
      const job = await running('last', { backoffLimit: 500 });
      await failWorkers('last', (index) => (index === WORKERS - 1 ? 3 : 137));
      const { phase, cause } = await job.wait();
      expect({ phase, cause }).toMatchObject({
        phase: 'Failed',
        cause: { reason: 'PermanentExitCode', pod: `last-worker-${WORKERS - 1}`, exitCode: 3 },
      });
      expect(await stage.pods('last')).toEqual([]);
    },
    TEST_MS,
  );
});
