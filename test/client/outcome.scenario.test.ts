import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobHandle } from '../../client/job-handle.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';
import { startTemporal } from './temporal-server.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
}, 120_000);
afterAll(() => stage.close());

const started = async (phases?: string): Promise<JobHandle> =>
  await stage.client.submit(aManifest(aName(), phases));

const enter = (job: JobHandle, phase: string) =>
  stage.temporal.workflow.getHandle(job.workflowId).signal('enter', phase);

describe('waiting', () => {
  test.each([
    ['Completed', 'Completed', undefined],
    ['Failed', 'Failed', 'PodFailed'],
    ['Stopped', 'Stopped', 'StopRequested'],
    ['InvalidManifest', 'Failed', 'InvalidManifest'],
  ])('for a job that ends as %s gives a typed outcome', async (end, phase, reason) => {
    const outcome = await (await started(`Running,${end}`)).wait();
    expect(outcome).toMatchObject({ kind: 'PyTorchJob', namespace: 'ml', phase });
    expect(outcome.cause?.reason).toBe(reason);
  });

  test('for a cancelled workflow gives Stopped, with the state it was in', async () => {
    const job = await started('Running');
    await stage.temporal.workflow.getHandle(job.workflowId).cancel();
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'Cancelled' } });
  });

  test('for a terminated workflow gives Stopped, and who ended it and why is not lost', async () => {
    const job = await started('Running');
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('the budget is spent');
    expect(await job.wait()).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'WorkflowTerminated', message: 'the budget is spent' },
    });
  });

  test('goes on when the workflow continues as new', async () => {
    const job = await started();
    const waiting = job.wait();
    await enter(job, 'ContinueAsNew');
    await enter(job, 'Completed');
    expect(await waiting).toMatchObject({ phase: 'Completed' });
  });

  test('is for the run that was submitted, also when the name runs again', async () => {
    const manifest = aManifest(aName(), 'Failed');
    const first = await stage.client.submit(manifest);
    await first.wait();
    const again = {
      ...manifest,
      metadata: { ...manifest.metadata, annotations: { 'stand-in': 'Completed' } },
    };
    await (await stage.client.submit(again)).wait();
    expect(await first.wait()).toMatchObject({ phase: 'Failed' });
  });

  test('can be given up', async () => {
    const job = await started('Running');
    const reason = new Error('enough');
    const giveUp = new AbortController();
    const waiting = job.wait({ signal: giveUp.signal });
    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test('for a job that does not exist says so', async () => {
    await expect(stage.client.job({ name: 'nobody' }).wait()).rejects.toMatchObject({
      name: 'JobNotFoundError',
      workflowId: 'job/default/nobody',
    });
  });
});

describe('following', () => {
  test('tells each change as it comes, and the end', async () => {
    const job = await started();
    const phases: string[] = [];
    const next = { Pending: 'Running', Running: 'Restarting', Restarting: 'Completed' } as Record<
      string,
      string
    >;
    const outcome = await job.follow(({ phase }) => {
      phases.push(phase);
      if (next[phase]) void enter(job, next[phase]);
    });
    expect(phases).toEqual(['Pending', 'Running', 'Restarting', 'Completed']);
    expect(outcome.phase).toBe('Completed');
  });

  test('an ended job tells its end, and that is all', async () => {
    const job = await started('Running,Failed');
    await job.wait();
    const phases: string[] = [];
    await job.follow(({ phase }) => phases.push(phase));
    expect(phases).toEqual(['Failed']);
  });
});

describe('stopping', () => {
  test('is on record when it returns, and ends the job', async () => {
    const job = await started('Running');
    expect(await job.stop({ by: 'ada', why: 'wrong learning rate' })).toBe('requested');
    expect(await job.wait()).toMatchObject({ phase: 'Stopped' });
  });

  test('does nothing to a job that has ended', async () => {
    const job = await started('Completed');
    await job.wait();
    expect(await job.stop({})).toBe('already-ended');
  });
});

describe('without a worker', () => {
  beforeAll(() => stage.stopWorker());
  afterAll(() => stage.startWorker());

  test('a live job’s status is refused with a reason, and its summary is still there', async () => {
    const job = await started();
    await expect(job.status()).rejects.toMatchObject({ name: 'WorkerAwayError' });
    expect(await job.summary()).toMatchObject({ kind: 'PyTorchJob', namespace: 'ml', phase: 'Pending' });
  }, 30_000);
});

test('waiting outlives a restart of the Temporal server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-client-'));
  const file = join(folder, 'temporal.sqlite');
  const server = await startTemporal({ file });
  const other = await openClientStage(server);
  const job = await other.client.submit(aManifest(aName(), 'Running'));
  const waiting = job.wait();
  await server.stop();
  const again = await startTemporal({ port: server.port, file });
  await other.temporal.workflow.getHandle(job.workflowId).signal('enter', 'Completed');
  expect(await waiting).toMatchObject({ phase: 'Completed' });
  await other.close();
  await again.stop();
  await rm(folder, { recursive: true });
}, 120_000);
