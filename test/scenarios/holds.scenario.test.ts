import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { statusOf } from '../status-of.ts';
import { renewed, untilRestarted, untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { type Ask, askBy, commandLine, WAYS } from './ways-to-ask.ts';
import { acceptedUpdates, timersOf } from './workflow-history.ts';

/** Failed pods are kept for somebody to look at them, before a restart and before the end. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const ANA = { by: 'ana', why: 'rank 0 hangs' };

const untilState = (job: JobHandle, wanted: string) =>
  untilStatus(job, `it is ${wanted}`, ({ state }) => state === wanted);

/** A single pod. */
async function running(name: string, restartPolicy: string, policy: object): Promise<JobHandle> {
  const { namespace } = stage;
  const runPolicy = { cleanPodPolicy: 'All' };
  const manifest = simulatedJob({ name, namespace, master: { restartPolicy }, worker: false, runPolicy });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

const fail = (name: string) => stage.endPod(`${name}-master-0`, { exitCode: 3 });

/** The timers of its holds, in whole seconds. */
const heldFor = async (job: JobHandle) =>
  (await timersOf(stage.temporal, job, 'hold')).map((seconds) => Math.round(seconds));

describe.each(WAYS)('asked through %s', (way) => {
  const prefix = way === 'temporal' ? 'temporal' : 'client';
  const ask: Ask = (...request) => askBy(stage, way)(...request);

  it.concurrent('a job that waits for its restart is held for longer, and released', async () => {
    const name = `${prefix}-restarts`;
    const job = await running(name, 'OnFailure', { holdOnFailure: '1h' });
    await expect(ask(job, 'release', ANA)).rejects.toThrow('the job is not held: Running');
    const before = await stage.pods(name);
    await fail(name);
    const held = await untilState(job, 'Restarting.Holding');
    expect(held.cause).toMatchObject({ reason: 'HeldForDebugging' });
    expect(held.cause?.message).toContain('the failed pods are kept until');
    expect(held.evidence).toMatchObject([{ pod: `${name}-master-0`, exitCode: 3 }]);
    expect((await stage.pod(`${name}-master-0`)).status?.phase).toBe('Failed');

    const longer = { seconds: 7_200, ...ANA };
    await ask(job, 'hold', longer);
    const kept = await statusOf(job);
    expect(kept.state).toBe('Restarting.Holding');
    expect(kept.cause?.message).toContain('the failed pods are kept until');
    expect(kept.cause?.message).not.toBe(held.cause?.message);
    expect(await heldFor(job)).toEqual([3_600, 7_200]);

    await ask(job, 'release', ANA);
    const { timeline } = await untilRestarted(job, 1);
    expect(renewed(before, await stage.pods(name))).toEqual([`${name}-master-0`]);
    expect(timeline.map(({ cause }) => cause)).toEqual(
      expect.arrayContaining([
        'failed pods will be kept for 7200 s by ana: rank 0 hangs',
        'released by ana: rank 0 hangs',
      ]),
    );
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([
      { name: 'hold', input: longer },
      { name: 'release', input: ANA },
    ]);
    await job.stop({});
    await job.wait();
  });

  it.concurrent('a live job keeps the pods of its next failure, also of its last', async () => {
    const name = `${prefix}-fails`;
    const job = await running(name, 'Never', {});
    const wish = { seconds: 3_600, ...ANA };
    await ask(job, 'hold', wish);
    await fail(name);
    const held = await untilState(job, 'Finishing.Holding');
    expect(held).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', exitCode: 3 } });
    expect(held.cause?.message).toContain('the failed pods are kept until');
    expect(await stage.pods(name)).toHaveLength(1);
    await expect(ask(job, 'suspend', ANA)).rejects.toThrow();

    await ask(job, 'hold', { ...wish, seconds: 7_200 });
    expect(await heldFor(job)).toEqual([3_600, 7_200]);
    await ask(job, 'release', ANA);
    const { phase, cause, timeline } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({ reason: 'PodFailed', pod: `${name}-master-0` });
    expect(timeline.map((entry) => entry.cause)).toContain('released by ana: rank 0 hangs');
    await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([
      { name: 'hold', input: wish },
      { name: 'hold', input: { ...wish, seconds: 7_200 } },
      { name: 'release', input: ANA },
    ]);
  });
});

describe('a job that is held', () => {
  it.concurrent('continues by itself when its time has expired', async () => {
    const job = await running('patient', 'OnFailure', { holdOnFailure: '1s' });
    await fail('patient');
    const { timeline } = await untilRestarted(job, 1);
    expect(timeline.map(({ state }) => state)).toContain('Restarting.Holding');
    await job.stop({});
    await job.wait();
  });

  it.concurrent('continues on a request to retry now', async () => {
    const job = await running('retried', 'OnFailure', { holdOnFailure: '1h' });
    await fail('retried');
    await untilState(job, 'Restarting.Holding');
    await job.retryNow(ANA);
    await untilRestarted(job, 1);
    await job.stop({});
    await job.wait();
  });

  it.concurrent('can be stopped, and its held pods are deleted', async () => {
    const job = await running('enough', 'Never', { holdOnFailure: '1h' });
    await fail('enough');
    await untilState(job, 'Finishing.Holding');
    await job.stop(ANA);
    // How it ended is not changed by that.
    expect((await job.wait()).phase).toBe('Failed');
    await untilLeft(stage, 'enough', ['ConfigMap/enough.signalbox']);
  });

  it.concurrent('is not held after a request for 0 s, whatever its policy says', async () => {
    const job = await running('unheld', 'Never', { holdOnFailure: '1h' });
    await job.hold({ seconds: 0, ...ANA });
    await fail('unheld');
    const { timeline } = await job.wait();
    expect(timeline.map(({ state }) => state)).not.toContain('Finishing.Holding');
    expect(await heldFor(job)).toEqual([]);
  });

  it.concurrent('is held for longer and released through the command line', async () => {
    const signalbox = commandLine(stage);
    const job = await running('by-hand', 'OnFailure', { holdOnFailure: '1h' });
    await fail('by-hand');
    await untilState(job, 'Restarting.Holding');
    expect(await signalbox('hold', 'by-hand', '--for', '2h', '--why', 'lunch')).toMatchObject({ code: 0 });
    expect((await signalbox('get', 'by-hand')).stdout).toContain('the failed pods are kept until');
    expect(await signalbox('release', 'by-hand', '--why', 'seen enough')).toMatchObject({ code: 0 });
    await untilRestarted(job, 1);
    const { stdout } = await signalbox('history', 'by-hand');
    expect(stdout).toMatch(/failed pods will be kept for 7200 s by \S+@\S+: lunch/);
    expect(stdout).toMatch(/released by \S+@\S+: seen enough/);
    expect(await signalbox('release', 'by-hand')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the job is not held'),
    });
    await job.stop({});
    await job.wait();
  });
});
