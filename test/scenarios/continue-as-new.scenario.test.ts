import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { PODS } from '../../contracts/kubernetes.ts';
import { signalbox } from '../cli/process.ts';
import { untilRestarted } from './attempts.ts';
import { simulatedJob } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilObjects, untilPhase } from './stage.ts';

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

it('a job with a long history continues in a new run, and loses nothing', async () => {
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

it('a replay with another policy follows all runs of a job, with its earlier use of budgets', async () => {
  const { client, cluster, namespace, runOf, temporal } = stage;
  const job = await client.submit(simulatedJob({ name: 'saga', namespace }));
  await untilPhase(job, 'Running');
  const first = await runOf(job);
  let restarts = 0;
  const restart = async () => {
    await cluster.delete(PODS, namespace, 'saga-worker-0');
    await untilRestarted(job, ++restarts);
  };
  while ((await runOf(job)) === first) await restart();
  await restart();
  await stage.endPod('saga-master-0', { exitCode: 0 });
  await job.wait();

  const folder = await mkdtemp(join(tmpdir(), 'signalbox-saga-'));
  try {
    const policy = join(folder, 'policy.yaml');
    const spent = { failures: { classes: { infrastructure: { budget: restarts - 1 } } } };
    await writeFile(policy, JSON.stringify(spent));
    const env = { TEMPORAL_ADDRESS: stage.temporalAddress, SIGNALBOX_NAMESPACE: namespace };
    const imagine = async (what: string) => {
      const { stdout } = await signalbox(['replay', what, '--policy', policy, '-o', 'json'], { env });
      return JSON.parse(stdout).verdicts[0];
    };
    const whole = await imagine('saga');
    const replaced = (await job.history()).filter(({ to }) => to === 'Restarting.Replacing');
    expect(whole.whatIf.from).toBeUndefined();
    expect(whole.whatIf.first).toMatchObject({
      at: replaced.at(-1)!.at,
      was: { does: 'restarts pods', attempt: 1 },
      would: { does: 'ends as Failed', attempt: 1, reason: 'FailureBudgetExceeded' },
    });

    // Of the last run alone, nobody knows what the other policy would have spent before.
    const path = join(folder, 'last-run.json');
    const last = await temporal.workflow.getHandle(job.workflowId, await runOf(job)).fetchHistory();
    await writeFile(path, historyToJSON(last));
    const { result, whatIf } = await imagine(path);
    expect(result).toBe('same');
    expect(whatIf.from).toEqual({ at: expect.any(String), attempt: 1, restarts: expect.any(Number) });
    expect(whatIf.from.restarts).toBeGreaterThan(0);
    expect(whatIf.from.restarts).toBeLessThanOrEqual(restarts);
  } finally {
    await rm(folder, { recursive: true });
  }
});
