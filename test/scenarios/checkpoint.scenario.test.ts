import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilStatus } from './attempts.ts';
import { localJob } from './local-jobs.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { askBy, commandLine, WAYS } from './ways-to-ask.ts';
import { acceptedUpdates, timersOf } from './workflow-history.ts';

/** A job that is stopped may write a checkpoint first. */

let stage: Stage;
let out: string;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  out = await mkdtemp(join(tmpdir(), 'signalbox-checkpoints-'));
});

afterAll(async () => {
  await stage.close();
  await rm(out, { recursive: true });
});

const ANA = { by: 'ana', why: 'wrong learning rate' };
const STOP = { checkpoint: true, ...ANA };
const FILE = { file: '/signalbox/checkpoint', within: '1h' };

async function running(manifest: Manifest, checkpoint: object): Promise<JobHandle> {
  const job = await stage.client.submit(withPolicy(manifest, { checkpoint }));
  await untilPhase(job, 'Running');
  return job;
}

const simulated = (name: string) => simulatedJob({ name, namespace: stage.namespace, worker: false });

const untilAsked = (job: JobHandle) =>
  untilStatus(job, 'it was asked', ({ state }) => state === 'Finishing.Checkpointing');

/** Nothing of it is left, and it was nobody's failure. */
async function expectStopped(job: JobHandle, name: string): Promise<readonly string[]> {
  const { phase, cause, timeline } = await job.wait();
  expect(phase).toBe('Stopped');
  expect(cause).toMatchObject({ reason: 'StopRequested', message: expect.stringContaining('by ana') });
  await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
  return timeline.map(({ state }) => state);
}

const CHECKPOINTED = ['Running', 'Finishing.Checkpointing', 'Finishing.CleaningUp', 'Stopped'];

/** A training that looks at the file between two steps. */
const LOOKS_AT_FILE = [
  'until test -s /signalbox/checkpoint; do echo step; sleep 0.1; done',
  'echo weights > /out/$HOSTNAME',
  'echo checkpoint saved',
  'exec sleep 600',
].join('; ');

describe.each(WAYS)('a job that is stopped with a checkpoint through %s', (way) => {
  it.concurrent('finds the request in a file, and ends when it acknowledges it', async () => {
    const name = way === 'temporal' ? 'by-temporal' : 'by-client';
    const { namespace } = stage;
    const manifest = localJob({ name, namespace, script: LOOKS_AT_FILE, out });
    const job = await running(manifest, { ...FILE, acknowledgedBy: { log: 'checkpoint saved' } });
    await askBy(stage, way)(job, 'stop', STOP);
    const states = await expectStopped(job, name);
    expect(states.slice(-4)).toEqual(CHECKPOINTED);
    expect(await readFile(join(out, `${name}-master-0`), 'utf8')).toBe('weights\n');
    expect(await timersOf(stage.temporal, job, 'checkpoint')).toEqual([3_600]);
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([{ name: 'stop', input: STOP }]);
    const { cause } = await statusOf(job);
    expect(cause?.message).toBe('stopped by ana: wrong learning rate; a checkpoint was acknowledged');
  });
});

describe('a job that is asked for a checkpoint by a file', () => {
  it.concurrent('may acknowledge it by an annotation', async () => {
    const acknowledgedBy = { annotation: 'example.com/saved' };
    const job = await running(simulated('annotated'), { ...FILE, acknowledgedBy });
    await job.stop(STOP);
    await untilAsked(job);
    // What was said before the pod was asked is no answer.
    await eventually('the pod is asked', async () => {
      const { metadata } = await stage.pod('annotated-master-0');
      return metadata.annotations?.['signalbox.dev/checkpoint'] !== undefined;
    });
    const annotations = { 'example.com/saved': 'step-1200' };
    const target = { namespace: stage.namespace, name: 'annotated-master-0' };
    await stage.cluster.patch(PODS, target, { metadata: { annotations } });
    expect((await expectStopped(job, 'annotated')).slice(-4)).toEqual(CHECKPOINTED);
  });

  it.concurrent('ends without one when its time has expired', async () => {
    const acknowledgedBy = { annotation: 'example.com/never-set' };
    const job = await running(simulated('silent'), { ...FILE, within: '1s', acknowledgedBy });
    await job.stop(STOP);
    expect((await expectStopped(job, 'silent')).slice(-4)).toEqual(CHECKPOINTED);
    const { cause } = await statusOf(job);
    expect(cause?.message).toBe(
      'stopped by ana: wrong learning rate; no checkpoint was acknowledged within 1s',
    );
  });

  it.concurrent('ends at once when it is stopped a second time', async () => {
    const job = await running(simulated('hurry'), FILE);
    await job.stop(STOP);
    const { cause, conditions } = await untilAsked(job);
    expect(cause?.message).toContain('waiting for a checkpoint until');
    expect(conditions.at(-1)).toMatchObject({ type: 'Running', status: 'True' });
    const again = { by: 'bob', why: 'now' };
    await job.stop(again);
    expect((await expectStopped(job, 'hurry')).slice(-4)).toEqual(CHECKPOINTED);
    const { timeline, cause: ended } = await statusOf(job);
    expect(timeline.map((entry) => entry.cause)).toContain('stopped by bob: now');
    expect(ended?.message).toBe(
      'stopped by ana: wrong learning rate; the wait for a checkpoint was cut short: stopped by bob: now',
    );
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([
      { name: 'stop', input: STOP },
      { name: 'stop', input: again },
    ]);
  });

  it.concurrent('ends when no pod is left that could write one', async () => {
    const job = await running(simulated('alone'), FILE);
    await job.stop(STOP);
    await untilAsked(job);
    await stage.endPod('alone-master-0', { exitCode: 0 });
    await expectStopped(job, 'alone');
    expect((await statusOf(job)).cause?.message).toBe(
      'stopped by ana: wrong learning rate; its pods ended before a checkpoint was acknowledged',
    );
  });

  it.concurrent('does not write one while it is suspended', async () => {
    const job = await running(simulated('rests'), FILE);
    await job.suspend({});
    await untilStatus(job, 'it rests', ({ state }) => state === 'Suspended.Resting');
    await job.stop(STOP);
    expect(await expectStopped(job, 'rests')).not.toContain('Finishing.Checkpointing');
  });
});

describe('a job that is asked for a checkpoint by SIGTERM', () => {
  it.concurrent('has the time of its policy to write it, instead of its grace period', async () => {
    const trap = 'trap "sleep 3; echo weights > /out/$HOSTNAME; exit 0" TERM';
    const script = `${trap}; while :; do sleep 0.1; done`;
    const { namespace } = stage;
    const manifest = localJob({ name: 'signalled', namespace, script, out, graceSeconds: 1 });
    const job = await running(manifest, { signal: 'SIGTERM', within: '60s' });
    await job.stop(STOP);
    await expectStopped(job, 'signalled');
    expect((await statusOf(job)).cause?.message).toMatch(
      /^stopped by ana: wrong learning rate; its pods ended within \d+s of SIGTERM$/,
    );
    expect(await readFile(join(out, 'signalled-master-0'), 'utf8')).toBe('weights\n');
  });
});

describe('a job that is asked for a checkpoint by a signal that it ignores', () => {
  it.concurrent('is killed when the time has expired, and its status does not claim a checkpoint', async () => {
    const script = 'trap "" TERM; while :; do sleep 0.1; done';
    const { namespace } = stage;
    const manifest = localJob({ name: 'ignores', namespace, script, out, graceSeconds: 1 });
    const job = await running(manifest, { signal: 'SIGTERM', within: '2s' });
    await job.stop(STOP);
    await expectStopped(job, 'ignores');
    expect((await statusOf(job)).cause?.message).toBe(
      'stopped by ana: wrong learning rate; its pods were not seen to end within 2s of SIGTERM; those still running were killed',
    );
  });
});

describe('a job that is asked for a checkpoint by a configured signal', () => {
  it.concurrent('receives that one, and no other until it has ended', async () => {
    const traps = [
      'trap "echo ended early > /out/$HOSTNAME; exit 1" TERM',
      'trap "sleep 3; echo weights > /out/$HOSTNAME; exit 0" USR1',
    ];
    const script = [...traps, 'while :; do sleep 0.1; done'].join('; ');
    const { namespace } = stage;
    const manifest = localJob({ name: 'own-signal', namespace, script, out, graceSeconds: 1 });
    const job = await running(manifest, { signal: 'SIGUSR1', within: '60s' });
    await job.stop(STOP);
    await expectStopped(job, 'own-signal');
    expect(await readFile(join(out, 'own-signal-master-0'), 'utf8')).toBe('weights\n');
  });
});

describe('a job that has an hour to end', () => {
  it.concurrent('ends at once when it is stopped a second time, without a checkpoint', async () => {
    const script = 'trap "" TERM; while :; do sleep 0.1; done';
    const { namespace } = stage;
    const manifest = localJob({ name: 'stubborn', namespace, script, out, graceSeconds: 1 });
    const job = await running(manifest, { signal: 'SIGTERM', within: '1h' });
    await job.stop(STOP);
    await untilStatus(job, 'it is being stopped', ({ state }) => state === 'Finishing.CleaningUp');
    await job.stop(STOP);
    const { metadata } = await eventually('its pod has its hour', async () => {
      const pod = await stage.pod('stubborn-master-0');
      return pod.metadata.deletionGracePeriodSeconds === 3600 ? pod : undefined;
    });
    expect(metadata.deletionTimestamp).toBeDefined();
    await job.stop({ by: 'bob', why: 'now' });
    await expectStopped(job, 'stubborn');
    const { timeline } = await statusOf(job);
    expect(timeline.map(({ cause }) => cause)).toContain('stopped by bob: now');
    expect(await job.stop({ by: 'cleo' })).toBe('already-ended');
  });
});

describe('a job whose policy has no way to request a checkpoint', () => {
  it.concurrent('refuses a stop with a checkpoint, and continues', async () => {
    const { namespace } = stage;
    const job = await stage.client.submit(simulatedJob({ name: 'mute', namespace, worker: false }));
    await untilPhase(job, 'Running');
    for (const way of WAYS) {
      await expect(askBy(stage, way)(job, 'stop', STOP)).rejects.toThrow(
        'its policy does not say how to request a checkpoint',
      );
    }
    const refused = await commandLine(stage)('stop', 'mute', '--checkpoint');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not say how') });
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([]);
    expect((await statusOf(job)).phase).toBe('Running');
    await job.stop(ANA);
    await expectStopped(job, 'mute');
  });
});

describe('after a stop with a checkpoint through the command line', () => {
  it.concurrent('a job ends, and the command waits for it', async () => {
    const name = 'by-command';
    const { namespace } = stage;
    const manifest = localJob({ name, namespace, script: LOOKS_AT_FILE, out });
    const job = await running(manifest, { ...FILE, acknowledgedBy: { log: 'checkpoint saved' } });
    const asked = await commandLine(stage)('stop', name, '--checkpoint', '--wait', '--why', 'enough');
    expect(asked).toMatchObject({ code: 0 });
    expect((await statusOf(job)).phase).toBe('Stopped');
    expect(await readFile(join(out, `${name}-master-0`), 'utf8')).toBe('weights\n');
  });
});
