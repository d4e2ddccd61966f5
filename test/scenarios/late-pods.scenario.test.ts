import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { copyPod } from './copied-pods.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A pod that a worker made after its job had ended: nobody waits for it, and it would run for ever. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage?.close());

async function running(name: string, cleanPodPolicy: string): Promise<JobHandle> {
  const { namespace } = stage;
  const worker = { replicas: 1, restartPolicy: 'Never' };
  const job = await stage.client.submit(
    simulatedJob({ name, namespace, worker, runPolicy: { cleanPodPolicy } }),
  );
  await untilPhase(job, 'Running');
  return job;
}

const namesOf = async (job: string) => (await stage.pods(job)).map(({ metadata }) => metadata.name);

const recordOf = async (job: string) => {
  const { data } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(job));
  return data?.status;
};

it('a late pod is removed where the clean-up policy would have removed it, and nowhere else', async () => {
  const [all, none] = await Promise.all([running('all', 'All'), running('none', 'None')]);
  const [worker, kept] = await Promise.all([stage.pod('all-worker-0'), stage.pod('none-worker-0')]);
  await Promise.all([
    stage.endPod('all-master-0', { exitCode: 0 }),
    stage.endPod('none-master-0', { exitCode: 0 }),
  ]);
  expect((await all.wait()).phase).toBe('Completed');
  expect((await none.wait()).phase).toBe('Completed');
  const record = await recordOf('all');

  await copyPod(stage, worker, { name: 'all-worker-0' });
  await copyPod(stage, worker, { name: 'all-debug' });
  await eventually('it is gone', async () => !(await namesOf('all')).includes('all-worker-0'));

  expect(await recordOf('all')).toBe(record);
  expect((await stage.pod('none-worker-0')).metadata.uid).toBe(kept.metadata.uid);
  expect((await stage.pod('none-worker-0')).metadata.deletionTimestamp).toBeUndefined();
});

it('a late pod is also removed from a job whose workflow was terminated', async () => {
  const job = await running('terminated', 'None');
  const worker = await stage.pod('terminated-worker-0');
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('a test');
  await eventually('it is cleaned up', async () => {
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf('terminated'));
    return anchor.metadata.annotations?.[ANNOTATIONS.phase] === 'Stopped';
  });
  await copyPod(stage, worker, { name: 'terminated-worker-0' });
  await eventually('it is gone', async () => (await namesOf('terminated')).length === 0);
});
