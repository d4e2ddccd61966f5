import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { courseOf, renewed, untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { gangJob } from './gang-jobs.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A restart that does not help is followed by a larger one, and in the end by none. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

async function running(manifest: Manifest, ladder: readonly object[]): Promise<JobHandle> {
  const restart = { ladder, backOff: { initial: '0s' } };
  const job = await stage.client.submit(withPolicy(manifest, { restart }));
  await untilPhase(job, 'Running');
  return job;
}

describe('a ladder that is climbed by count', () => {
  it('continues from the pod to its role to the gang, and the next failure ends the job', async () => {
    const manifest = simulatedJob({
      name: 'climb',
      namespace: stage.namespace,
      runPolicy: { cleanPodPolicy: 'All' },
    });
    const job = await running(manifest, [
      { scope: 'pod', times: 1 },
      { scope: 'role', times: 1 },
      { scope: 'gang', times: 1 },
    ]);
    const anew: string[][] = [];
    for (const restarts of [1, 2, 3]) {
      const before = await stage.pods('climb');
      await stage.endPod('climb-worker-0', { exitCode: 1 });
      await untilRestarted(job, restarts);
      anew.push(renewed(before, await stage.pods('climb')));
    }
    expect(anew).toEqual([
      ['climb-worker-0'],
      ['climb-worker-0', 'climb-worker-1'],
      ['climb-master-0', 'climb-worker-0', 'climb-worker-1'],
    ]);
    await stage.endPod('climb-worker-0', { exitCode: 9 });
    const { phase, cause, attempt, restarts } = await job.wait();
    expect({ phase, attempt, restarts }).toEqual({ phase: 'Failed', attempt: 2, restarts: 3 });
    expect(cause).toMatchObject({
      reason: 'RestartsExhausted',
      pod: 'climb-worker-0',
      exitCode: 9,
      rule: expect.stringContaining('restart.ladder: pod, role, gang'),
    });
    expect(await stage.pods('climb')).toEqual([]);
  });
});

describe('a ladder that is climbed by time', () => {
  let pool: NodePool;

  beforeEach(async () => {
    pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1] });
  });

  afterEach(() => pool.remove());

  const fullPool = (name: string) =>
    gangJob({ name, namespace: stage.namespace, pool, pods: 3, gang: 'none', restartPolicy: 'OnFailure' });

  /** What replaces the pod finds no room. */
  async function cordonNodeOf(name: string): Promise<string> {
    const { spec } = await stage.pod(name);
    return pool.cordon(Number(spec.nodeName?.split('-').at(-1)));
  }

  async function loseForGood(name: string): Promise<void> {
    await cordonNodeOf(name);
    await stage.cluster.delete(PODS, stage.namespace, name);
  }

  const untilNoRoom = (job: JobHandle, attempt: number) =>
    untilStatus(
      job,
      `attempt ${attempt} waits for room`,
      (status) => status.attempt === attempt && status.cause?.reason === 'Unschedulable',
    );

  it('restarts the gang when one pod does not recover in time', async () => {
    const job = await running(fullPool('late'), [{ scope: 'pod', within: '1s' }, { scope: 'gang' }]);
    const before = await stage.pods('late');
    await loseForGood('late-worker-1');
    await untilNoRoom(job, 2);
    await pool.addNode(1);
    const status = await untilAttempt(job, 2);
    expect(renewed(before, await stage.pods('late'))).toHaveLength(3);
    expect(courseOf(status)).toContain('the gang restarts: the job did not run again in time');
    await stage.endPod('late-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
    expect(await stage.pods('late')).toEqual([]);
  });

  it('restarts the gang elsewhere when it does not recover, on other nodes than the failures', async () => {
    const job = await running(fullPool('away'), [
      { scope: 'gang', within: '1s' },
      { scope: 'gangElsewhere' },
    ]);
    const failed = await cordonNodeOf('away-worker-0');
    await stage.endPod('away-worker-0', { exitCode: 1 });
    await untilNoRoom(job, 3);
    await pool.addNode(1);
    const status = await untilAttempt(job, 3);
    expect(Object.keys(status.avoided ?? {})).toEqual([failed]);
    for (const { spec } of await stage.pods('away')) expect(JSON.stringify(spec.affinity)).toContain(failed);
    await stage.endPod('away-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
  });

  it('ends the job when no larger restart is left', async () => {
    const job = await running(fullPool('stuck'), [{ scope: 'pod', times: 3, within: '1s' }]);
    await loseForGood('stuck-worker-1');
    const { phase, cause, restarts } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 1 });
    expect(cause).toMatchObject({
      reason: 'RestartsExhausted',
      message: expect.stringContaining('the job did not run again in time'),
    });
    expect(await stage.pods('stuck')).toEqual([]);
  });
});
