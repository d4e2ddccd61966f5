import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { statusOf } from '../status-of.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const ENDS = ['Completed', 'Failed', 'terminated'] as const;

async function ended(how: (typeof ENDS)[number]): Promise<JobHandle> {
  const phase = how === 'terminated' ? 'Running' : how;
  const job = await stage.client.submit(aManifest(aName(), phase));
  if (how === 'terminated') {
    while ((await job.status()).phase !== phase);
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('gone');
  }
  await job.wait();
  return job;
}

type Ask = (job: JobHandle) => Promise<void>;

const ASKED: readonly [verb: string, ask: Ask][] = [
  ['suspend', (job) => job.suspend()],
  ['resume', (job) => job.resume()],
  ['scale', (job) => job.scale({ role: 'worker', replicas: 2 })],
  ['hold', (job) => job.hold({ seconds: 60 })],
  ['release', (job) => job.release()],
  ['retryNow', (job) => job.retryNow()],
  ['extendDeadline', (job) => job.extendDeadline({ seconds: 60 })],
  ['amendPolicy', (job) => job.amendPolicy({ policy: {} })],
];

describe.each(ENDS)('a job that was %s', (how) => {
  let job: JobHandle;
  beforeAll(async () => {
    job = await ended(how);
  });

  test.each(ASKED)('refuses %s, because it has ended', async (_verb, ask) => {
    const phase = how === 'terminated' ? 'Stopped' : how;
    const { endTime } = await job.summary();
    await expect(ask(job)).rejects.toMatchObject({
      name: 'JobEndedError',
      workflowId: job.workflowId,
      phase,
      endedAt: endTime,
      message: `${job.workflowId} has ended: it has been ${phase} since ${endTime}.`,
    });
  });
});

describe('a terminated job', () => {
  test('has the time of its end, a last row in its history, no pods, and a reason', async () => {
    const job = await ended('terminated');
    const { endTime, reason } = await job.summary();
    const status = await statusOf(job);
    expect(reason).toBe('WorkflowTerminated');
    expect(status).toMatchObject({ phase: 'Stopped', completionTime: endTime, cause: { reason } });
    expect(status.timeline.at(-1)).toEqual({
      at: endTime,
      phase: 'Stopped',
      state: 'Stopped',
      attempt: 1,
      cause: 'gone',
    });
    expect(Object.values(status.replicaStatuses)).toEqual([{ succeeded: 1 }]);
  });
});

test.each(['hold', 'extendDeadline'] as const)('%s does not query for longer than a year', async (verb) => {
  const job = await stage.client.submit(aManifest(aName(), 'Running'));
  for (const seconds of [1e13, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 365 * 86_400 + 1, 1.5, -1]) {
    await expect(job[verb]({ seconds })).rejects.toMatchObject({
      name: 'RefusedError',
      message: expect.stringContaining('seconds: expected an integer'),
    });
  }
});
