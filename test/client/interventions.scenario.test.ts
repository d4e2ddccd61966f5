import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { statusOf } from '../status-of.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const who = { by: 'ada', why: 'to see' };

const jobIn = async (phase: string): Promise<JobHandle> => {
  const job = await stage.client.submit(aManifest(aName(), phase));
  while ((await job.status()).phase !== phase);
  return job;
};

describe('a request to a job', () => {
  test.each([
    ['suspend', 'Running', who, (job: JobHandle) => job.suspend(who)],
    ['resume', 'Suspended', who, (job: JobHandle) => job.resume(who)],
    [
      'scale',
      'Running',
      { ...who, role: 'worker', replicas: 8 },
      (job: JobHandle) => job.scale({ ...who, role: 'worker', replicas: 8 }),
    ],
    ['retryNow', 'Restarting', who, (job: JobHandle) => job.retryNow(who)],
    [
      'extendDeadline',
      'Running',
      { ...who, seconds: 60 },
      (job: JobHandle) => job.extendDeadline({ ...who, seconds: 60 }),
    ],
    ['hold', 'Running', { ...who, seconds: 60 }, (job: JobHandle) => job.hold({ ...who, seconds: 60 })],
    ['release', 'Restarting', who, (job: JobHandle) => job.release(who)],
    [
      'amendPolicy',
      'Running',
      { ...who, policy: { nodes: { lostAfter: null } } },
      (job: JobHandle) => job.amendPolicy({ ...who, policy: { nodes: { lostAfter: null } } }),
    ],
  ] as const)('is recorded as %s, with who and why', async (update, phase, request, ask) => {
    const job = await jobIn(phase);
    await ask(job);
    const last = (await statusOf(job)).timeline.at(-1)?.cause ?? '';
    expect(last.slice(0, last.indexOf(' '))).toBe(update);
    expect(JSON.parse(last.slice(update.length))).toEqual(request);
  });

  test('has the client’s user by default', async () => {
    const job = await jobIn('Running');
    await job.suspend({ why: 'to see' });
    expect((await statusOf(job)).timeline.at(-1)?.cause).toContain('"by":"ada@lovelace"');
  });

  test('may ask for a checkpoint before a stop', async () => {
    const job = await jobIn('Running');
    expect(await job.stop({ ...who, checkpoint: true })).toBe('requested');
    const { timeline } = await job.wait();
    expect(timeline.map(({ cause }) => cause)).toContainEqual(expect.stringContaining('"checkpoint":true'));
  });
});

describe('a request that makes no sense is refused with the job’s own message', () => {
  test.each([
    ['resume', 'the job is not suspended: Running', (job: JobHandle) => job.resume()],
    ['retryNow', 'the job waits for no restart: Running', (job: JobHandle) => job.retryNow()],
    ['release', 'the job is not held: Running', (job: JobHandle) => job.release()],
    ['scale', 'the job has no role clerk', (job: JobHandle) => job.scale({ role: 'clerk', replicas: 1 })],
  ])('%s', async (_verb, sentence, ask) => {
    await expect(ask(await jobIn('Running'))).rejects.toMatchObject({
      name: 'RefusedError',
      message: `The job refuses: ${sentence}.`,
    });
  });
});

describe('a change with faults is refused with all of them', () => {
  test.each([
    [
      'scale',
      { path: 'spec.Worker.replicas', expected: 'an integer >= 1', got: '0' },
      (job: JobHandle) => job.scale({ role: 'worker', replicas: 0 }),
    ],
    [
      'amendPolicy',
      { path: 'policy.wrong', expected: 'no such field', got: '1' },
      (job: JobHandle) => job.amendPolicy({ policy: { wrong: 1 } }),
    ],
  ])('%s', async (_verb, fault, ask) => {
    await expect(ask(await jobIn('Running'))).rejects.toMatchObject({
      name: 'InvalidManifestError',
      faults: [fault],
      message: expect.stringContaining('With this change the manifest would have an error:'),
      remedy: 'Nothing was changed; the job continues as before.',
    });
  });
});

test('a request to a job that does not exist fails', async () => {
  await expect(stage.client.job({ name: 'nobody' }).hold({ seconds: 60 })).rejects.toMatchObject({
    name: 'JobNotFoundError',
  });
});

describe('without a worker', () => {
  beforeAll(() => stage.stopWorkers());
  afterAll(() => stage.startWorker());

  test('no request is accepted, and one may take effect when a worker is back', async () => {
    const job = await stage.client.submit(aManifest(aName(), 'Running'));
    await expect(job.scale({ role: 'worker', replicas: 2 })).rejects.toMatchObject({
      name: 'WorkerAwayError',
      remedy: expect.stringContaining('look at the job (`signalbox get`) before you repeat it'),
    });
  });
});
