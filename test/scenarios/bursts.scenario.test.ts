import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allOrAbort } from '../../activities/support/in-parallel.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { runsOf } from '../workflow-runs.ts';
import { untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { ringTimes } from './ring-times.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilObjects, untilPhase } from './stage.ts';

/** Many people ask much of one job while it goes from run to run: what it agrees to it does, and does once. */

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

const POLICY = {
  restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
  scaleByRestart: true,
};
const ROUNDS = 8;
const FAILURES = 3;
const name = 'crowded';

/** What somebody asks for, with words of their own. */
type Request = (job: JobHandle, who: { readonly by: string; readonly why: string }) => Promise<unknown>;

const extend: Request = (job, who) => job.extendDeadline({ seconds: 1, ...who });
const hold: Request = (job, who) => job.hold({ seconds: 0, ...who });
const scaleTo =
  (replicas: number): Request =>
  (job, who) =>
    job.scale({ role: 'Worker', replicas, ...who });
const stop: Request = (job, who) => job.stop(who);

/** Asks for one thing after the other, by a client of their own; gives the words of what the job agreed to. */
async function ask(by: string, requests: readonly Request[]): Promise<string[]> {
  const job = (await stage.anotherClient()).job({ name });
  const agreed: string[] = [];
  for (const [index, request] of requests.entries()) {
    const why = `wish ${index}`;
    await request(job, { by, why }).then(
      () => agreed.push(`by ${by}: ${why}`),
      (error: Error) => {
        if (!/outcome of the job is already decided|has (already )?ended/.test(error.message)) throw error;
      },
    );
  }
  return agreed;
}

const times = (count: number, request: Request) => Array.from({ length: count }, () => request);

/** Each pod fails once; some of them do while their gang is told to stop anyway, and are no reason for a restart. */
async function failOften(job: JobHandle): Promise<void> {
  const failed = new Set<string | undefined>();
  await eventually(`it has started again ${FAILURES} times`, async () => {
    const { phase, restarts } = await statusOf(job);
    const { uid } = (await stage.pod(`${name}-worker-0`)).metadata;
    if (phase !== 'Running' || restarts >= FAILURES || failed.has(uid)) return restarts >= FAILURES;
    failed.add(uid);
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    return false;
  });
}

/** How many of these words are on the timeline, and how often. */
const causesWith = (timeline: readonly { readonly cause: string }[], words: readonly string[]) =>
  words.map((word) => timeline.filter(({ cause }) => cause.includes(word)).length);

describe('a burst of requests', () => {
  it('is processed in new runs, and nothing is lost or done twice', async () => {
    const runPolicy = { cleanPodPolicy: 'All', activeDeadlineSeconds: 3_000 };
    const manifest = withPolicy(simulatedJob({ name, namespace: stage.namespace, runPolicy }), POLICY);
    const job = await stage.client.submit(manifest);
    await untilPhase(job, 'Running');
    const firstRun = await stage.runOf(job);

    const [ana, bob, eve] = await allOrAbort(
      ask('ana', times(ROUNDS, extend)),
      ask('bob', times(ROUNDS, hold)),
      ask('eve', [scaleTo(3), scaleTo(1), scaleTo(3), extend]),
      failOften(job),
    );
    const agreed = [...ana, ...bob, ...eve];
    expect(agreed).toHaveLength(2 * ROUNDS + 4);
    const status = await untilStatus(job, 'it runs with three workers', ({ phase, replicaStatuses }) => {
      return phase === 'Running' && replicaStatuses.Worker?.active === 3;
    });
    expect(status.restarts).toBeGreaterThanOrEqual(FAILURES);
    expect(causesWith(status.timeline, agreed)).toEqual(agreed.map(() => 1));
    const { workflowId } = job;
    await eventually('the deadline is later by what was agreed to', async () => {
      const runs = await runsOf(stage.temporal, workflowId, firstRun);
      const deadlines = await ringTimes(stage.temporal, { workflowId, runs, name: 'activeDeadline' });
      return Math.max(...deadlines) === Math.min(...deadlines) + (ROUNDS + 1) * 1_000;
    });
    // How many depends on when the job has a quiet moment.
    expect((await runsOf(stage.temporal, workflowId, firstRun)).length).toBeGreaterThan(1);

    const last = await allOrAbort(
      ask('ann', times(4, extend)),
      ask('ben', [extend, hold, stop, hold]),
      ask('eva', [hold, scaleTo(2), extend]),
    );
    const { phase, cause, timeline } = await job.wait();
    expect({ phase, cause: cause?.message }).toEqual({ phase: 'Stopped', cause: 'stopped by ben: wish 2' });
    expect(causesWith(timeline, last.flat())).toEqual(last.flat().map(() => 1));
    expect(stage.ledger.violations).toEqual([]);
    await untilObjects(stage, [`ConfigMap/${name}.signalbox`]);
  });
});
