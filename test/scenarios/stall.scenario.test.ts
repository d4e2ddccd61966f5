import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { courseOf, untilAttempt, untilStatus } from './attempts.ts';
import { localJob } from './local-jobs.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { digestsTo, runningTimers, timersOf } from './workflow-history.ts';

/** Jobs that report their progress, and then are silent for too long. */

let stage: Stage;
let watcher: Engine;
let worker: Engine;

beforeAll(async () => {
  stage = await openStage();
  [watcher, worker] = await Promise.all([stage.engine('watcher'), stage.engine('worker')]);
});

afterAll(() => stage.close());

const STEP = 'example.com/step';
const AT_ONCE = { backOff: { initial: '0s' } };

interface Options {
  readonly stalledAfter?: string;
  /** What the policy says of class `stalled`. */
  readonly stalled?: object;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
}

/** On simulated nodes: its pods say what the test says. */
async function running(name: string, { stalledAfter, stalled, runPolicy }: Options): Promise<JobHandle> {
  const policy = {
    restart: AT_ONCE,
    progress: { annotation: STEP, stalledAfter },
    ...(stalled ? { failures: { classes: { stalled } } } : {}),
  };
  const clean = { cleanPodPolicy: 'All', ...runPolicy };
  const manifest = simulatedJob({ name, namespace: stage.namespace, runPolicy: clean });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

/** The main pod gets to a step. */
async function gets(name: string, step: number): Promise<void> {
  const target = { namespace: stage.namespace, name: `${name}-master-0` };
  await stage.cluster.patch(PODS, target, { metadata: { annotations: { [STEP]: String(step) } } });
}

const untilProgress = (job: JobHandle, step: number) =>
  untilStatus(job, `step ${step} is reported`, ({ progress }) => progress === String(step));

async function stopped(job: JobHandle): Promise<void> {
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
}

/** Of which attempt and pod there are records. */
async function recordsOf(job: JobHandle): Promise<string[]> {
  const found: string[] = [];
  for await (const { summary } of job.evidence()) found.push(`${summary.attempt} ${summary.pod}`);
  return found.sort();
}

describe('a job whose log is silent for too long', () => {
  it.concurrent('restarts as a gang, after evidence was taken of the running pods', async () => {
    const hangs = 'echo step=1; sleep 0.2; echo step=2; echo waiting for peers; exec sleep 600';
    const script = `if [ "$SIGNALBOX_ATTEMPT" = 2 ]; then exit 0; fi; ${hangs}`;
    const manifest = localJob({ name: 'hangs', namespace: stage.namespace, script, workers: 1 });
    const progress = { log: 'step=(\\d+)', stalledAfter: '3s' };
    const failures = { classes: { stalled: { budget: 2 } } };
    const job = await stage.client.submit(withPolicy(manifest, { restart: AT_ONCE, progress, failures }));
    await untilProgress(job, 2);
    const outcome = await job.wait();
    expect(outcome).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
    expect(outcome.budgets).toEqual({ stalled: { used: 1, allowed: 2 } });
    expect(courseOf(outcome)).toMatch(
      /^1 Restarting.Capturing: no progress since \S+, when it was 2; .*progress.stalledAfter: 3s.*\n1 Restarting.Draining/m,
    );
    expect(await recordsOf(job)).toEqual(['1 hangs-master-0', '1 hangs-worker-0']);
    for await (const { containers } of job.evidence()) {
      expect(containers).toMatchObject([{ state: { running: expect.anything() } }]);
      expect(containers[0]?.log?.lines).toEqual(['step=1', 'step=2', 'waiting for peers']);
    }
  });
});

describe('a job whose annotation does not change for too long', () => {
  it.concurrent('restarts as a gang, and fails when its budget for that is used up', async () => {
    const job = await running('spends', { stalledAfter: '2s', stalled: { budget: 1 } });
    const { phase, cause, attempt, restarts } = await job.wait();
    expect({ phase, attempt, restarts }).toEqual({ phase: 'Failed', attempt: 2, restarts: 1 });
    expect(cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      message: expect.stringMatching(/^no progress since it started running; .*progress.stalledAfter: 2s/),
      rule: expect.stringContaining('failures.classes.stalled.budget: 1'),
    });
    const pods = ['spends-master-0', 'spends-worker-0', 'spends-worker-1'];
    expect(await recordsOf(job)).toEqual([1, 2].flatMap((n) => pods.map((pod) => `${n} ${pod}`)));
    expect(await stage.pods('spends')).toEqual([]);
  });

  it.concurrent.each([
    { name: 'final', stalled: { final: true }, runPolicy: {}, reason: 'Stalled' },
    {
      name: 'limited',
      stalled: undefined,
      runPolicy: { backoffLimit: 0 },
      reason: 'BackoffLimitExceeded',
    },
  ])('fails at once where the class is $name', async ({ name, reason, ...options }) => {
    const job = await running(name, { stalledAfter: '1s', ...options });
    const { phase, cause, attempt } = await job.wait();
    expect({ phase, attempt }).toEqual({ phase: 'Failed', attempt: 1 });
    expect(cause).toMatchObject({
      ...{ reason, message: expect.stringContaining('no progress') },
      ...{ pod: `${name}-master-0`, node: expect.any(String) },
    });
  });

  it.concurrent('has the whole limit again in its next attempt, and no progress', async () => {
    const job = await running('afresh', { stalledAfter: '8s' });
    await gets('afresh', 900);
    await untilProgress(job, 900);
    const { progress } = await untilAttempt(job, 2);
    expect(progress).toBeUndefined();
    const timers = await timersOf(stage.temporal, job, 'stall');
    expect(timers.at(-1)).toBeGreaterThan(7.9);
    await gets('afresh', 1);
    expect(await untilProgress(job, 1)).toMatchObject({ attempt: 2, restarts: 1 });
    await stopped(job);
  });

  it.concurrent('continues while it changes, and restarts one limit after its last change', async () => {
    const job = await running('alive', { stalledAfter: '4s' });
    const until = Date.now() + 10_000;
    let step = 0;
    await eventually(
      'it has got on for more than twice the limit',
      async () => {
        await gets('alive', ++step);
        return Date.now() > until;
      },
      { everyMs: 200 },
    );
    expect(await statusOf(job)).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
    const status = await untilAttempt(job, 2);
    expect(courseOf(status)).toContain(`when it was ${step}`);
    await stopped(job);
  });
});

describe('a watcher that is killed', () => {
  it('and restarts within the limit causes no stall', async () => {
    const job = await running('unwatched', { stalledAfter: '15s' });
    await gets('unwatched', 1);
    await untilProgress(job, 1);
    await watcher.kill();
    await gets('unwatched', 2);
    await watcher.start();
    await untilProgress(job, 2);
    await eventually('the time since the first word is over', async () => {
      return (await timersOf(stage.temporal, job, 'stall')).length > 1;
    });
    expect(await statusOf(job)).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0, progress: '2' });
    await stopped(job);
  });

  it('and restarts passes on what was reported meanwhile', async () => {
    const job = await running('late-news', {});
    await watcher.kill();
    await gets('late-news', 1);
    await watcher.start();
    await untilProgress(job, 1);
    await stopped(job);
  });

  it('and restarts after the limit causes no restart of a job', async () => {
    const job = await running('unheard', { stalledAfter: '4s' });
    await gets('unheard', 1);
    await untilProgress(job, 1);
    await watcher.kill();
    await untilStatus(job, 'nobody answers', ({ warnings }) =>
      warnings.some((warning) => warning.startsWith('the watcher has not answered a question')),
    );
    await gets('unheard', 2);
    expect(await statusOf(job)).toMatchObject({ phase: 'Running', attempt: 1, progress: '1' });
    await watcher.start();
    await untilProgress(job, 2);
    const status = await untilStatus(job, 'it is answered', ({ warnings }) => warnings.length === 0);
    expect(status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
    // From now on somebody listens, and it is silent.
    await untilAttempt(job, 2);
    await stopped(job);
  });
});

describe('workers that are killed', () => {
  let late: JobHandle;
  let unworked: JobHandle;
  let step = 0;

  /** One passes its deadline meanwhile, the other its limit for silence. */
  beforeAll(async () => {
    [late, unworked] = await Promise.all([
      running('late', { stalledAfter: '1h', runPolicy: { activeDeadlineSeconds: 20 } }),
      running('unworked', { stalledAfter: '6s' }),
    ]);
    await worker.kill();
    await stage.endPod('late-master-0', { exitCode: 0 });
    await eventually(
      'the success and then both times are on record',
      async () => {
        await gets('unworked', ++step);
        const digests = await digestsTo(stage.temporal, late);
        const [timers, others] = await Promise.all(
          [late, unworked].map((job) => runningTimers(stage.temporal, job)),
        );
        const areOver = !timers?.includes('activeDeadline') && !others?.includes('stall');
        return digests.at(-1)?.roles.master?.succeeded === 1 && areOver;
      },
      { everyMs: 500 },
    );
    await worker.start();
  });

  it('and restart after the stall limit first process the job’s progress', async () => {
    expect(await untilProgress(unworked, step)).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
    await stopped(unworked);
  });

  it('and restart after a deadline first process what came before it', async () => {
    expect((await late.wait()).phase).toBe('Completed');
  });
});
