import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilAttempt, untilStatus } from './attempts.ts';
import { keep, letGo } from './kept-pods.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilPhase } from './stage.ts';
import { watchStatus } from './status-watch.ts';
import { activitiesOf } from './workflow-history.ts';

/** A new run of the workflow begins while something is being done: it is interrupted, done again, and done once. */

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };
const PODS_OF_A_GANG = 3;
/** Events after which no job that is busy stays in its run. */
const CERTAINLY_LONG = 200;

async function running(name: string): Promise<JobHandle> {
  const runPolicy = { cleanPodPolicy: 'All', activeDeadlineSeconds: 3_000 };
  const manifest = withPolicy(simulatedJob({ name, namespace: stage.namespace, runPolicy }), GANG);
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

/** Enough for the longest history, and few enough for the timeline. */
const MOST_ASKED = 60;

/** Asks for one small thing after the other until the history is too long; gives how often it asked. */
async function untilNewRun(job: JobHandle): Promise<number> {
  const before = await stage.runOf(job);
  const isNew = async () => (await stage.runOf(job)) !== before;
  let asked = 0;
  while (asked < MOST_ASKED && !(await isNew())) {
    await job.hold({ seconds: 0, by: 'ana', why: `hold ${asked++}` });
  }
  await eventually('the job goes on in a new run', isNew);
  return asked;
}

/** Whatever was asked for is on the timeline, once. */
async function expectHolds(job: JobHandle, asked: number): Promise<void> {
  const said = (await statusOf(job)).timeline.map(({ cause }) => cause);
  const holds = Array.from({ length: asked }, (_, n) => `failed pods will be kept for 0 s by ana: hold ${n}`);
  expect(said.filter((cause) => cause.includes('hold '))).toEqual(holds);
}

describe('in a new run', () => {
  it('a gang that waits for its last pod to end still waits, and restarts once', async () => {
    const name = 'waiting';
    const made = stage.ledger.created;
    const job = await running(name);
    const statusWatch = watchStatus(job, stage.closing);
    await keep(stage, `${name}-worker-0`);
    await stage.endPod(`${name}-worker-1`, { exitCode: 1 });
    await untilStatus(job, 'it waits for its pod', ({ cause }) => cause?.reason === 'PodsTerminating');
    const asked = await untilNewRun(job);
    await eventually('the new run drains again', async () =>
      (await activitiesOf(stage.temporal, job)).includes('drain'),
    );
    await expectHolds(job, asked);
    expect(await statusOf(job)).toMatchObject({ state: 'Restarting.Draining', attempt: 1 });
    expect(stage.ledger.created - made).toBe(PODS_OF_A_GANG);
    await letGo(stage, `${name}-worker-0`);
    expect(await untilAttempt(job, 2)).toMatchObject({ restarts: 1 });
    expect(stage.ledger.created - made).toBe(2 * PODS_OF_A_GANG);
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    expect(await statusWatch.outcome).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
    await statusWatch.leave();
    expect(statusWatch.complaints).toEqual([]);
    expect(stage.ledger.violations).toEqual([]);
  });

  it('a job that is being suspended is suspended in the end, in another run, and can be resumed there', async () => {
    const name = 'resting';
    const job = await running(name);
    await keep(stage, `${name}-worker-0`);
    await job.suspend({ by: 'ana' });
    await expectHolds(job, await untilNewRun(job));
    expect(await statusOf(job)).toMatchObject({ phase: 'Suspended', state: 'Suspended.Draining' });
    await letGo(stage, `${name}-worker-0`);
    await untilStatus(job, 'it rests', ({ state }) => state === 'Suspended.Resting');
    await untilNewRun(job);
    await job.resume({ by: 'ana' });
    await untilAttempt(job, 2);
    await job.stop({ by: 'ana' });
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', attempt: 2 });
    expect(stage.ledger.violations).toEqual([]);
  });

  it('a cancelled job does not continue, because only the cancelled run can end as such', async () => {
    const name = 'cancelled';
    const job = await running(name);
    const run = await stage.runOf(job);
    await keep(stage, `${name}-worker-0`);
    const handle = stage.temporal.workflow.getHandle(job.workflowId);
    await handle.cancel();
    await untilStatus(job, 'it is cleaned up', ({ state }) => state === 'Finishing.CleaningUp');
    // A clean-up gives up pods that stay for minutes, so many signals are sent at once.
    while ((await handle.describe()).historyLength < CERTAINLY_LONG) {
      await Promise.all(Array.from({ length: 50 }, () => handle.signal(DIGEST_SIGNAL, {})));
    }
    await letGo(stage, `${name}-worker-0`);
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'Cancelled' } });
    const { runId, status } = await handle.describe();
    expect([runId, status.name]).toEqual([run, 'CANCELLED']);
  });
});
