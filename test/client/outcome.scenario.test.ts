import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { STATUS_QUERY } from '../../contracts/messages.ts';
import { allOf } from '../record/archive/all-of.ts';
import { aManifest, aName, type ClientStage, connect, openClientStage } from './client-stage.ts';
import { startTemporal } from './temporal-server.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
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
  ])('for a job that ends as %s returns a typed outcome', async (end, phase, reason) => {
    const outcome = await (await started(`Running,${end}`)).wait();
    expect(outcome).toMatchObject({ kind: 'PyTorchJob', namespace: 'ml', phase });
    expect('reason' in outcome ? outcome.reason : undefined).toBe(reason);
  });

  test('for a failed job returns the class of the reason, the remedy, and the pods that failed first', async () => {
    const outcome = await (await started('Running,Failed')).wait();
    expect(outcome).toMatchObject({
      ...{ phase: 'Failed', reason: 'PodFailed', class: 'program', message: 'because of PodFailed' },
      remedy: expect.stringContaining('restartPolicy'),
      failures: [
        { pod: 'first', exitCode: 137, signal: 9, node: 'a', evidence: 'file:///first.json' },
        { pod: 'second' },
      ],
    });
  });

  test('for a stopped job returns who stopped it, and why', async () => {
    const job = await started('Running');
    await job.stop({ by: 'ada', why: 'wrong learning rate' });
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', by: 'ada', why: 'wrong learning rate' });
  });

  test('ends after its timeout, and the job continues', async () => {
    const job = await started('Running');
    await expect(job.wait({ timeout: 300 })).rejects.toMatchObject({
      code: 'WaitTimeout',
      message: `${job.workflowId} has not ended within 0.3 s.`,
    });
    expect(await job.status()).toMatchObject({ phase: 'Running' });
  });

  test('for a cancelled workflow returns Stopped, with the state it was in', async () => {
    const job = await started('Running');
    await stage.temporal.workflow.getHandle(job.workflowId).cancel();
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'Cancelled' } });
  });

  test('for a terminated workflow returns Stopped, with who terminated it and why', async () => {
    const job = await started('Running');
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('the budget is spent');
    expect(await job.wait()).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'WorkflowTerminated', message: 'the budget is spent' },
    });
  });

  test('continues when the workflow continues as new', async () => {
    const job = await started();
    const waiting = job.wait();
    await enter(job, 'ContinueAsNew');
    await enter(job, 'Completed');
    expect(await waiting).toMatchObject({ phase: 'Completed' });
  });

  test('is for the submitted run, also when a later job has the name', async () => {
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

  test('ends when its signal aborts', async () => {
    const job = await started('Running');
    const reason = new Error('enough');
    const giveUp = new AbortController();
    const waiting = job.wait({ signal: giveUp.signal });
    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test('for a job that does not exist fails', async () => {
    await expect(stage.client.job({ name: 'nobody' }).wait()).rejects.toMatchObject({
      name: 'JobNotFoundError',
      workflowId: 'job/default/nobody',
    });
  });
});

describe('watching', () => {
  test('yields each change as it happens, and the end', async () => {
    const job = await started();
    const phases: string[] = [];
    const next = { Pending: 'Running', Running: 'Restarting', Restarting: 'Completed' } as Record<
      string,
      string
    >;
    for await (const { phase } of job.watch()) {
      phases.push(phase);
      if (next[phase]) await enter(job, next[phase]);
    }
    expect(phases).toEqual(['Pending', 'Running', 'Restarting', 'Completed']);
  });

  test('yields only the end of an ended job', async () => {
    const job = await started('Running,Failed');
    await job.wait();
    const phases: string[] = [];
    for await (const { phase } of job.watch()) phases.push(phase);
    expect(phases).toEqual(['Failed']);
  });
});

describe('stopping', () => {
  test('is recorded when it returns, and ends the job', async () => {
    const job = await started('Running');
    expect(await job.stop({ by: 'ada', why: 'wrong learning rate' })).toBe('requested');
    expect(await job.wait()).toMatchObject({ phase: 'Stopped' });
  });

  test('does nothing to an ended job', async () => {
    const job = await started('Completed');
    await job.wait();
    expect(await job.stop({})).toBe('already-ended');
  });
});

describe('without a worker', () => {
  let ended: JobHandle;
  beforeAll(async () => {
    ended = await started('Completed');
    await ended.wait();
    await stage.stopWorkers();
  });
  afterAll(() => stage.startWorker());

  test.concurrent('a submission says that the job waits for one', async () => {
    const client = await connect(stage.server.address, 'nobody');
    const { warnings } = await client.submit(aManifest(aName()));
    expect(warnings).toEqual([expect.stringMatching(/^No worker is polling task queue nobody; /)]);
    await client.close();
  });

  test.concurrent('a live job’s status is the one recorded in Temporal', async () => {
    const job = await started();
    expect(await job.status()).toMatchObject({ phase: 'Pending', recordedIn: 'temporal' });
    const refusal = await job.history().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'WorkerAway' });
    // Else Temporal would have been asked until it gave up.
    expect(refusal).not.toHaveProperty('cause', expect.anything());
  });

  test.concurrent('a live job’s status is returned before a query times out, if there never was a worker', async () => {
    const client = await connect(stage.server.address, 'nobody');
    const job = await client.submit(aManifest(aName()));
    const { temporal } = stage;
    const query = () => temporal.workflow.getHandle(job.workflowId).query(STATUS_QUERY);
    const timedOut = temporal.withDeadline(Date.now() + 10_000, query).catch(() => 'timed out');
    expect(await Promise.race([job.status(), timedOut])).toMatchObject({
      ...{ phase: 'Pending', recordedIn: 'temporal' },
    });
    await client.close();
  });

  test.concurrent('nothing waits for more history of an ended job', async () => {
    await expect(allOf(ended.followHistory())).rejects.toMatchObject({ code: 'WorkerAway' });
  });

  test.concurrent('a request is refused soon, and the error says that it may still be applied', async () => {
    const job = await started();
    await expect(job.suspend()).rejects.toMatchObject({
      code: 'WorkerAway',
      remedy: expect.stringContaining('It may still carry out the request'),
    });
  });
});

describe('a handle of a submission', () => {
  test('stays with its run, also when a later job has its name', async () => {
    const first = await stage.client.submit(aManifest('twice', 'Failed'), { key: 'first' });
    await first.wait();
    const second = await stage.client.submit(aManifest('twice', 'Running'), { key: 'second' });
    while ((await second.status()).phase !== 'Running');
    expect(await first.status()).toMatchObject({ phase: 'Failed' });
    expect(await first.summary()).toMatchObject({ runId: first.runId, phase: 'Failed', key: 'first' });
    await expect(first.suspend()).rejects.toMatchObject({ code: 'JobEnded', phase: 'Failed' });
    expect(await first.stop()).toBe('already-ended');
    expect(await second.status()).toMatchObject({ phase: 'Running' });
  });
});

describe('an explanation', () => {
  test.each([
    ['Running', { phase: 'Running', sentence: 'The job runs.' }],
    [
      'Failed',
      {
        ...{ phase: 'Failed', reason: 'PodFailed', details: 'because of PodFailed' },
        sentence: 'A pod failed, and its restart policy does not allow a restart.',
        remedy: expect.stringContaining('choose restartPolicy OnFailure'),
      },
    ],
  ])('of a job that is %s has its time and remedy', async (phase, expected) => {
    const job = await started(phase);
    while ((await job.status()).phase !== phase);
    expect(await job.why()).toMatchObject({ ...expected, since: expect.stringMatching(/^20.*Z$/) });
  });
});

test('the history of a live job is followed from its first entry after a worker starts', async () => {
  const client = await connect(stage.server.address, 'later');
  const job = await client.submit(aManifest(aName(), 'Completed'));
  const interruption = Promise.withResolvers<unknown>();
  const following = allOf(job.followHistory({ onInterrupted: interruption.resolve }));
  expect(await interruption.promise).toMatchObject({ code: 'WorkerAway' });
  await stage.startWorker('later');
  expect(await following).toMatchObject([{ seq: 1, message: 'entered Completed' }]);
  await client.close();
});

test('waiting, and following a history, survive a restart of the Temporal server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-client-'));
  const file = join(folder, 'temporal.sqlite');
  const server = await startTemporal({ file });
  const other = await openClientStage(server);
  const job = await other.client.submit(aManifest(aName(), 'Running'));
  const waiting = job.wait();
  const followed: string[] = [];
  const following = (async () => {
    for await (const { seq, message } of job.followHistory()) followed.push(`${seq} ${message}`);
  })();
  await server.stop();
  const again = await startTemporal({ port: server.port, file });
  await other.temporal.workflow.getHandle(job.workflowId).signal('enter', 'Completed');
  expect(await waiting).toMatchObject({ phase: 'Completed' });
  await following;
  expect(followed).toEqual(['1 entered Running', '2 entered Completed']);
  await other.close();
  await again.stop();
  await rm(folder, { recursive: true });
});
