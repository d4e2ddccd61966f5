import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const named = (name: string, run?: string) => ({ name, namespace: 'ml', ...(run ? { run } : {}) });

async function submitted(name: string, phases: string) {
  const job = await stage.client.submit(aManifest(name, phases));
  await job.wait();
  return job;
}

describe('an earlier job of a name', () => {
  const name = aName();
  let failed: Awaited<ReturnType<typeof submitted>>;
  let live: Awaited<ReturnType<typeof submitted>>;
  beforeAll(async () => {
    failed = await submitted(name, 'Running,Failed');
    await submitted(name, 'Running,Stopped');
    live = await stage.client.submit(aManifest(name, 'Running'));
  });
  const find = (run: string) => stage.client.find(named(name, run));

  test('is counted back from the newest', async () => {
    expect((await (await find('-1')).status()).phase).toBe('Stopped');
    expect((await (await find('-2')).status()).phase).toBe('Failed');
  });

  test('is selected by the prefix of its run, and has its own record', async () => {
    const job = await find(failed.runId!.slice(0, 13));
    expect(await job.firstRunId()).toBe(failed.runId);
    expect((await job.wait()).phase).toBe('Failed');
    expect((await job.history()).at(-1)).toMatchObject({ phase: 'Failed' });
  });

  test('refuses requests, because it has ended, and the live one does not get them', async () => {
    const job = await find('-1');
    expect(await job.stop()).toBe('already-ended');
    await expect(job.suspend()).rejects.toMatchObject({ name: 'JobEndedError' });
    expect((await live.status()).phase).toBe('Running');
  });

  test('that does not exist is an error that lists those that do', async () => {
    const known = [{ phase: 'Running' }, { phase: 'Stopped' }, { phase: 'Failed' }];
    await expect(find('-3')).rejects.toMatchObject({
      name: 'JobNotFoundError',
      message: `There is no job job/ml/${name}@-3.`,
      remedy: expect.stringContaining(`run ${failed.runId} (Failed, submitted 20`),
      known,
    });
    await expect(find('ffffffff-0')).rejects.toMatchObject({ name: 'JobNotFoundError', known });
  });

  test('needs a valid reference, also for a handle that asks no server', async () => {
    await expect(find('last')).rejects.toThrow('run: expected -1 for the job before the newest');
    expect(() => stage.client.job(named(name, '-1'))).toThrow('run: expected none');
  });

  test('is listed with the others, the newest first', async () => {
    const jobs = await stage.client.jobsOf(named(name));
    expect(jobs.map(({ phase }) => phase)).toEqual(['Running', 'Stopped', 'Failed']);
  });
});

test('a job that continued in other runs is found by each of them, and counts once', async () => {
  const name = aName();
  const long = await submitted(name, 'Running,ContinueAsNew,Running,ContinueAsNew,Completed');
  await submitted(name, 'Running,Failed');
  const runs = await eventually('all runs are listed', async () => {
    const found: string[] = [];
    const query = `WorkflowId = '${long.workflowId}' AND ExecutionStatus != 'Failed'`;
    for await (const { runId } of stage.temporal.workflow.list({ query })) found.push(runId);
    return found.length === 3 && found;
  });
  for (const run of ['-1', ...runs.map((runId) => runId.slice(0, 13))]) {
    const job = await stage.client.find(named(name, run));
    expect(await job.firstRunId()).toBe(long.runId);
    expect((await job.wait()).phase).toBe('Completed');
  }
});
