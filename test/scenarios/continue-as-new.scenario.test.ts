import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PODS } from '../../contracts/kubernetes.ts';
import { untilRestarted } from './attempts.ts';
import { simulatedJob } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilObjects, untilPhase } from './stage.ts';

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

it('a job with a long history goes on in a new run, and loses nothing', async () => {
  const runPolicy = { cleanPodPolicy: 'All' };
  const manifest = simulatedJob({ name: 'epic', namespace: stage.namespace, runPolicy });
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  const first = await stage.runOf(job);

  let restarts = 0;
  while ((await stage.runOf(job)) === first) {
    await stage.cluster.delete(PODS, stage.namespace, 'epic-worker-0');
    await untilRestarted(job, ++restarts);
  }

  const { timeline, conditions, startTime } = await untilPhase(job, 'Running');
  expect(timeline[0]?.state).toBe('Pending.Creating');
  // Of a pod that was seen before it had gone, evidence is taken first.
  expect(timeline.filter(({ state }) => state === 'Restarting.Replacing')).toHaveLength(restarts);
  expect(conditions[0]?.type).toBe('Created');
  expect(startTime).toBeDefined();
  expect((await stage.client.submit(manifest)).submission).toBe('already-running');

  await stage.endPod('epic-master-0', { exitCode: 0 });
  expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts });
  await untilObjects(stage, ['ConfigMap/epic.signalbox']);
});
