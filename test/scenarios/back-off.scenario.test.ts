import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** What fails at once must not be started again as fast as it fails. */

/** Times are told in whole seconds. */
const TOLD_IN_SECONDS = 1_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

async function failing(name: string, scope: string, backOff: object) {
  const manifest = simulatedJob({ name, namespace: stage.namespace, runPolicy: { cleanPodPolicy: 'All' } });
  const restart = { ladder: [{ scope }], backOff };
  const job = await stage.client.submit(withPolicy(manifest, { restart }));
  await untilPhase(job, 'Running');
  await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
  return job;
}

/** In the words of a job that waits. */
const timeIn = (text: string) => Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(text)?.[0] ?? '');

describe('a job that waits before its next attempt', () => {
  it.each([
    { scope: 'pod', state: 'Restarting.BackingOff', pods: 3 },
    { scope: 'gang', state: 'Restarting.Drained', pods: 0 },
  ])('of its $scope shows until when, and continues at once on request', async ({ scope, state, pods }) => {
    const name = `wait-${scope}`;
    const before = Date.now();
    const job = await failing(name, scope, { firstAtOnce: false, initial: '1h', max: '1h' });
    const waiting = await untilStatus(job, 'it waits', (status) => status.state === state);
    expect(timeIn(waiting.cause?.message ?? '')).toBeGreaterThan(before + 3_600_000 - TOLD_IN_SECONDS);
    expect(await stage.pods(name)).toHaveLength(pods);
    await job.retryNow({ by: 'ana', why: 'the disk is back' });
    const status = await untilRestarted(job, 1);
    expect(status.timeline.map(({ cause }) => cause).join()).toContain('ana: the disk is back');
    await expect(job.retryNow({})).rejects.toMatchObject({ name: 'RefusedError' });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
  });

  it('continues by itself, not before the time that it showed', async () => {
    const job = await failing('alone', 'gang', { firstAtOnce: false, initial: '2s', jitter: 0.2 });
    const { timeline } = await untilAttempt(job, 2);
    const drained = timeline.find(({ state }) => state === 'Restarting.Drained');
    const begun = timeline.find(({ state, attempt }) => state === 'Pending.Creating' && attempt === 2);
    expect(timeIn(drained?.cause ?? '')).toBeLessThanOrEqual(Date.parse(begun?.at ?? ''));
    await job.stop({});
    await job.wait();
  });

  it('does not wait the first time, then longer each time, up to the maximum', async () => {
    const manifest = simulatedJob({ name: 'longer', namespace: stage.namespace });
    const backOff = { initial: '10m', factor: 2, max: '15m' };
    const restart = { ladder: [{ scope: 'gang' }], backOff };
    const job = await stage.client.submit(withPolicy(manifest, { restart }));
    await untilPhase(job, 'Running');
    await stage.endPod('longer-worker-0', { exitCode: 1 });
    const first = await untilAttempt(job, 2);
    expect(first.timeline.map(({ state }) => state)).not.toContain('Restarting.Drained');
    const waits: number[] = [];
    for (const attempt of [3, 4]) {
      const from = Date.now();
      await stage.endPod('longer-worker-0', { exitCode: 1 });
      const { cause } = await untilStatus(job, 'it waits', ({ state }) => state === 'Restarting.Drained');
      waits.push(Math.round((timeIn(cause?.message ?? '') - from) / 60_000));
      await job.retryNow({});
      await untilAttempt(job, attempt);
    }
    expect(waits).toEqual([10, 15]);
    await job.stop({});
    await job.wait();
  });
});
