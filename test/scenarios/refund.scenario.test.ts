import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { untilRestarted, untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A job that gets on between its failures may fail for ever; one that fails at the same step may not. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const STEP = 'example.com/step';

const policy = (refundOnProgress: boolean) => ({
  restart: {
    ladder: [
      { scope: 'pod', times: 1 },
      { scope: 'gang', times: 1 },
    ],
    backOff: { initial: '0s' },
    refundOnProgress,
  },
  failures: { classes: { userCode: { budget: 2 } } },
  progress: { annotation: STEP },
});

async function running(name: string, options: { readonly refund: boolean }): Promise<JobHandle> {
  const manifest = simulatedJob({ name, namespace: stage.namespace, runPolicy: { cleanPodPolicy: 'All' } });
  const job = await stage.client.submit(withPolicy(manifest, policy(options.refund)));
  await untilPhase(job, 'Running');
  return job;
}

/** The program of rank 0 says how far it is. */
async function report(job: JobHandle, name: string, step: string) {
  const target = { namespace: stage.namespace, name: `${name}-master-0` };
  await stage.cluster.patch(PODS, target, { metadata: { annotations: { [STEP]: step } } });
  return untilStatus(job, `step ${step} is reported`, ({ progress }) => progress === step);
}

async function failAndRestart(job: JobHandle, name: string, restarts: number) {
  await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
  return untilRestarted(job, restarts);
}

const EXHAUSTED = { phase: 'Failed', cause: { reason: 'RestartsExhausted' } };

describe('progress since the last restart', () => {
  it.concurrent('refunds budgets and ladder, if the policy says so', async () => {
    const job = await running('forgiven', { refund: true });
    expect((await failAndRestart(job, 'forgiven', 1)).attempt).toBe(1);
    const spent = await failAndRestart(job, 'forgiven', 2);
    expect(spent).toMatchObject({ attempt: 2, budgets: { userCode: { used: 2, allowed: 2 } } });
    const refunded = await report(job, 'forgiven', '100');
    expect(refunded.budgets).toEqual({ userCode: { used: 0, allowed: 2 } });
    // From the first rung again: one pod, within the attempt.
    expect(await failAndRestart(job, 'forgiven', 3)).toMatchObject({
      attempt: 2,
      budgets: { userCode: { used: 1, allowed: 2 } },
    });
    await stage.endPod('forgiven-master-0', { exitCode: 0 });
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 3 });
  });

  it.concurrent('does not refund later failures', async () => {
    const job = await running('once', { refund: true });
    await failAndRestart(job, 'once', 1);
    await report(job, 'once', '100');
    await failAndRestart(job, 'once', 2);
    await failAndRestart(job, 'once', 3);
    await stage.endPod('once-worker-0', { exitCode: 1 });
    expect(await job.wait()).toMatchObject({ ...EXHAUSTED, restarts: 3 });
  });

  it.concurrent('refunds nothing by default', async () => {
    const job = await running('strict', { refund: false });
    await failAndRestart(job, 'strict', 1);
    const status = await report(job, 'strict', '100');
    expect(status.budgets).toEqual({ userCode: { used: 1, allowed: 2 } });
    await failAndRestart(job, 'strict', 2);
    await stage.endPod('strict-worker-0', { exitCode: 1 });
    expect(await job.wait()).toMatchObject({ ...EXHAUSTED, restarts: 2 });
  });
});
