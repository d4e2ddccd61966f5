import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { statusOf } from '../status-of.ts';
import { renewed, untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { type Ask, askBy, commandLine, type Request, WAYS } from './ways-to-ask.ts';
import { acceptedUpdates, timersOf } from './workflow-history.ts';

/** What people ask of a live job: it is done, or refused, and who asked and why is on record. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const ANA = { by: 'ana', why: 'the nodes are needed' };
const SAID = 'by ana: the nodes are needed';

type Asked = readonly [request: Request, input: object];

/** Temporal knows that the job accepted these and no others; the job tells them in its own words. */
async function expectOnRecord(job: JobHandle, asked: readonly Asked[], messages: readonly string[]) {
  const accepted = asked.map(([name, input]) => ({ name, input }));
  expect(await acceptedUpdates(stage.temporal, job)).toEqual(accepted);
  const { timeline } = await statusOf(job);
  expect(timeline.map(({ cause }) => cause)).toEqual(expect.arrayContaining([...messages]));
}

const untilState = (job: JobHandle, wanted: string) =>
  untilStatus(job, `it is ${wanted}`, ({ state }) => state === wanted);

interface Options {
  readonly policy?: object;
  readonly runPolicy?: object;
}

/** A single pod, which is run again when it fails. */
async function submit(name: string, { policy = {}, runPolicy = {} }: Options = {}): Promise<JobHandle> {
  const { namespace } = stage;
  const clean = { cleanPodPolicy: 'All', ...runPolicy };
  const master = { restartPolicy: 'OnFailure' };
  const manifest = simulatedJob({ name, namespace, master, worker: false, runPolicy: clean });
  return await stage.client.submit(withPolicy(manifest, policy));
}

async function running(name: string, options?: Options): Promise<JobHandle> {
  const job = await submit(name, options);
  await untilPhase(job, 'Running');
  return job;
}

async function stopped(job: JobHandle): Promise<void> {
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
}

const AN_HOUR = { initial: '1h', max: '1h', firstAtOnce: false };

describe.each(WAYS)('asked through %s', (way) => {
  const prefix = way === 'temporal' ? 'temporal' : 'client';
  const ask: Ask = (...request) => askBy(stage, way)(...request);

  it.concurrent('a job is suspended and resumed, each only where it makes sense', async () => {
    const job = await running(`${prefix}-suspend`);
    await expect(ask(job, 'resume', ANA)).rejects.toThrow('the job is not suspended: Running');
    await ask(job, 'suspend', ANA);
    const { cause } = await untilState(job, 'Suspended.Resting');
    expect(cause).toMatchObject({ reason: 'Suspended', message: `suspended ${SAID}`, ...ANA });
    expect(await stage.pods(`${prefix}-suspend`)).toEqual([]);
    await expect(ask(job, 'suspend', ANA)).rejects.toThrow('the job is already suspended');
    await ask(job, 'resume', ANA);
    await untilAttempt(job, 2);
    const asked: Asked[] = [
      ['suspend', ANA],
      ['resume', ANA],
    ];
    await expectOnRecord(job, asked, [`suspended ${SAID}`, `resumed ${SAID}`]);
    await stopped(job);
  });

  it.concurrent.each([
    { scope: 'pod', state: 'Restarting.BackingOff', attempt: 1 },
    { scope: 'gang', state: 'Restarting.Drained', attempt: 2 },
  ])('a job that waits in $state is retried now', async ({ scope, state, attempt }) => {
    const name = `${prefix}-retry-${scope}`;
    const job = await running(name, { policy: { restart: { ladder: [{ scope }], backOff: AN_HOUR } } });
    await expect(ask(job, 'retryNow', ANA)).rejects.toThrow('is not waiting for a restart: Running');
    const before = await stage.pods(name);
    await stage.endPod(`${name}-master-0`, { exitCode: 1 });
    await untilState(job, state);
    await ask(job, 'retryNow', ANA);
    const status = await untilRestarted(job, 1);
    expect(status.attempt).toBe(attempt);
    expect(renewed(before, await stage.pods(name))).toEqual([`${name}-master-0`]);
    await expectOnRecord(job, [['retryNow', ANA]], [`retried at once ${SAID}`]);
    await stopped(job);
  });

  it.concurrent('a job gets more time, before its deadline runs and while it does', async () => {
    const hour = { seconds: 3_600, ...ANA };
    const job = await submit(`${prefix}-extend`, { runPolicy: { suspend: true, activeDeadlineSeconds: 60 } });
    await untilState(job, 'Suspended.Resting');
    await ask(job, 'extendDeadline', hour);
    await job.resume({});
    await untilPhase(job, 'Running');
    expect(await timersOf(stage.temporal, job, 'activeDeadline')).toEqual([3_660]);
    await ask(job, 'extendDeadline', hour);
    const timers = await timersOf(stage.temporal, job, 'activeDeadline');
    expect(timers).toHaveLength(2);
    expect(timers[1]).toBeGreaterThan(3_660);
    await expect(ask(job, 'extendDeadline', { seconds: -5, ...ANA })).rejects.toThrow(
      'seconds: expected an integer from 1 to 31536000 (365d), got -5',
    );
    const asked: Asked[] = [
      ['extendDeadline', hour],
      ['resume', { by: 'a test' }],
      ['extendDeadline', hour],
    ];
    await expectOnRecord(job, asked, [`deadline extended by 3600 s ${SAID}`]);
    await stopped(job);
  });

  it.concurrent('a job without a deadline refuses more time', async () => {
    const job = await running(`${prefix}-endless`);
    await expect(ask(job, 'extendDeadline', { seconds: 5 })).rejects.toThrow(
      'the job has no activeDeadlineSeconds',
    );
    await expectOnRecord(job, [], []);
    await stopped(job);
  });

  it.concurrent('a job is stopped, and then refuses everything', async () => {
    const job = await running(`${prefix}-stop`);
    await ask(job, 'stop', ANA);
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Stopped');
    expect(cause).toMatchObject({ reason: 'StopRequested', message: `stopped ${SAID}`, ...ANA });
    expect(await stage.pods(`${prefix}-stop`)).toEqual([]);
    await expect(ask(job, 'hold', { seconds: 5 })).rejects.toThrow();
    await expectOnRecord(job, [['stop', ANA]], [`stopped ${SAID}`]);
  });
});

describe('a deadline that was extended', () => {
  it.concurrent('ends the job with the extended time in its message', async () => {
    const job = await submit('longer', { runPolicy: { suspend: true, activeDeadlineSeconds: 1 } });
    await untilState(job, 'Suspended.Resting');
    await job.extendDeadline({ seconds: 1 });
    await job.resume({});
    const { cause } = await job.wait();
    expect(cause).toMatchObject({
      reason: 'DeadlineExceeded',
      rule: 'spec.runPolicy.activeDeadlineSeconds: 2',
    });
  });
});

describe('asked through the command line', () => {
  it.concurrent('a job is suspended, resumed and stopped, and its history has who asked and why', async () => {
    const signalbox = commandLine(stage);
    const job = await running('by-command');
    expect(await signalbox('retry-now', 'by-command')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the job is not waiting for a restart'),
    });
    expect(await signalbox('suspend', 'by-command', '--why', 'a demo')).toMatchObject({ code: 0 });
    await untilState(job, 'Suspended.Resting');
    expect(await signalbox('resume', 'by-command')).toMatchObject({ code: 0 });
    await untilAttempt(job, 2);
    expect(await signalbox('stop', 'by-command', '--wait')).toMatchObject({ code: 0 });

    const updates = await acceptedUpdates(stage.temporal, job);
    expect(updates).toMatchObject([
      { name: 'suspend', input: { by: expect.stringContaining('@'), why: 'a demo' } },
      { name: 'resume', input: { by: expect.stringContaining('@') } },
      { name: 'stop', input: { by: expect.stringContaining('@') } },
    ]);
    const { stdout } = await signalbox('history', 'by-command');
    expect(stdout).toMatch(/suspended by \S+@\S+: a demo/);
    expect(stdout).toMatch(/resumed by \S+@\S+/);
    expect(stdout).toMatch(/stopped by \S+@\S+/);
  });
});
