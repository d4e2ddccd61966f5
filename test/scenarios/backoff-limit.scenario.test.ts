import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PODS } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { untilRestarted } from './attempts.ts';
import { FAILS_ONCE, localJob } from './local-jobs.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** backoffLimit counts every restart of a job, whoever made it, and whoever died meanwhile. */

let stage: Stage;
let engine: Engine;

beforeEach(async () => {
  stage = await openStage();
  engine = await stage.engine('up');
});

afterEach(() => stage.close());

async function crashEngine(): Promise<void> {
  await engine.kill();
  await engine.start();
}

describe('backoffLimit', () => {
  it('counts the kubelet’s restarts in place and signalbox’s new pods, across a crash of the engine', async () => {
    const manifest = localJob({
      name: 'counted',
      namespace: stage.namespace,
      script: FAILS_ONCE,
      runPolicy: { backoffLimit: 2 },
    });
    const job = await stage.client.submit(manifest);
    // The first pod's container is restarted in place,
    await untilRestarted(job, 1);
    await crashEngine();
    // then the pod is deleted and made again, whose container fails once as well.
    await stage.cluster.delete(PODS, stage.namespace, 'counted-master-0', { gracePeriodSeconds: 0 });
    const { phase, cause, restarts } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 3 });
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', rule: 'spec.runPolicy.backoffLimit: 2' });
    expect(await stage.pods('counted')).toEqual([]);
  });

  it('counts the restart of a gang as one, however many of its pods failed', async () => {
    const manifest = simulatedJob({
      name: 'gangs',
      namespace: stage.namespace,
      runPolicy: { backoffLimit: 1, cleanPodPolicy: 'All' },
    });
    const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
    const job = await stage.client.submit(withPolicy(manifest, { restart }));
    await untilPhase(job, 'Running');
    await failBothWorkers();
    await untilRestarted(job, 1);
    await crashEngine();
    await failBothWorkers();
    const { phase, cause, attempt, restarts } = await job.wait();
    expect({ phase, attempt, restarts }).toEqual({ phase: 'Failed', attempt: 2, restarts: 1 });
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded' });
    expect(await stage.pods('gangs')).toEqual([]);
  });
});

const failBothWorkers = () =>
  Promise.all([0, 1].map((index) => stage.endPod(`gangs-worker-${index}`, { exitCode: 1 })));
