import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { statusOf } from '../status-of.ts';
import { runsOf } from '../workflow-runs.ts';
import { untilAttempt, untilStatus } from './attempts.ts';
import { failPod } from './failed-pods.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { ringTimes } from './ring-times.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilLeft, untilPhase } from './stage.ts';
import { type StatusWatch, watchStatus } from './status-watch.ts';

/** Jobs whose life takes many runs of their workflow: whatever they have become is theirs in the last run, too. */

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

const ANA = { by: 'ana', why: 'a long night' };
const RESTARTS = 8;
const SUSPENSIONS = 7;
const DEADLINE_S = 3_000;
const EXTENSION_S = 600;
/** A job that is never idle goes on for twice as many events as the server suggests, and to the next quiet moment. */
const MOST_EVENTS = 200;

const POLICY = {
  restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
  failures: { rules: [{ class: 'flaky', exitCodes: [7] }], classes: { flaky: { budget: 1 } } },
  nodes: { avoidFor: '1h' },
  scaleByRestart: true,
};

interface LongJob {
  readonly job: JobHandle;
  readonly firstRun: string;
  readonly statusWatch: StatusWatch;
}

/** A job of a Master and two Workers that has become another one since: more restarts, a longer time, one Worker more. */
async function changed(name: string): Promise<LongJob> {
  const { namespace } = stage;
  const runPolicy = { cleanPodPolicy: 'All', activeDeadlineSeconds: DEADLINE_S };
  const manifest = withPolicy(simulatedJob({ name, namespace, runPolicy }), POLICY);
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  const longJob = { job, firstRun: await stage.runOf(job), statusWatch: watchStatus(job, stage.closing) };
  const budget = SUSPENSIONS + RESTARTS;
  await job.amendPolicy({ policy: { failures: { classes: { flaky: { budget } } } }, ...ANA });
  await job.extendDeadline({ seconds: EXTENSION_S, ...ANA });
  await job.scale({ role: 'Worker', replicas: 3, ...ANA });
  await untilAttempt(job, 2);
  return longJob;
}

const failFlaky = (name: string) => stage.endPod(`${name}-worker-0`, { exitCode: 7 });

/** Which attempts there is evidence of, the last first. */
const evidenced = ({ evidence = [] }: JobStatus) => evidence.map(({ attempt }) => attempt);

const downFrom = (last: number, count: number) => Array.from({ length: count }, (_, index) => last - index);

async function completed({ job, statusWatch }: LongJob, name: string) {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  const outcome = await statusWatch.outcome;
  await statusWatch.leave();
  expect(outcome.phase).toBe('Completed');
  expect(statusWatch.complaints).toEqual([]);
  expect(stage.ledger.violations).toEqual([]);
  await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
  return job;
}

describe('in run after run', () => {
  it.concurrent(`a gang restarts ${RESTARTS} times, and keeps its budgets, avoided nodes and requests`, async () => {
    const name = 'saga';
    const longJob = await changed(name);
    const { job } = longJob;
    const { spec } = await stage.pod(`${name}-worker-1`);
    await failPod(stage, `${name}-worker-1`, { exitCode: 137, disruption: 'PreemptionByScheduler' });
    await untilAttempt(job, 3);
    await job.hold({ seconds: 3_600, ...ANA });
    for (let attempt = 3; attempt < 2 + RESTARTS; attempt++) {
      await failFlaky(name);
      await untilStatus(job, `attempt ${attempt} is held`, ({ state, attempt: held }) => {
        return state === 'Restarting.Holding' && held === attempt;
      });
      await job.release(ANA);
      await untilAttempt(job, attempt + 1);
    }
    const status = await statusOf(job);
    expect(status).toMatchObject({
      ...{ attempt: 2 + RESTARTS, restarts: RESTARTS, avoided: { [spec.nodeName!]: expect.any(String) } },
      budgets: { flaky: { used: RESTARTS - 1, allowed: SUSPENSIONS + RESTARTS } },
      replicaStatuses: { Master: { active: 1 }, Worker: { active: 3 } },
    });
    expect(evidenced(status)).toEqual(downFrom(1 + RESTARTS, RESTARTS));
    await completed(longJob, name);

    const runs = await runsOf(stage.temporal, job.workflowId, longJob.firstRun);
    expect(runs.length).toBeGreaterThan(3);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(MOST_EVENTS);
    const { workflowId } = job;
    const [first, ...later] = await ringTimes(stage.temporal, { workflowId, runs, name: 'activeDeadline' });
    expect(later).toEqual([first! + EXTENSION_S * 1000]);
  });

  it.concurrent(`a job is suspended and resumed ${SUSPENSIONS} times, and stays the same`, async () => {
    const name = 'phoenix';
    const longJob = await changed(name);
    const { job } = longJob;
    await failFlaky(name);
    await untilAttempt(job, 3);
    for (let attempt = 3; attempt < 3 + SUSPENSIONS; attempt++) {
      await job.suspend({ by: 'ana', why: `rest ${attempt}` });
      await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
      await job.resume({ by: 'bob', why: `up ${attempt}` });
      await untilAttempt(job, attempt + 1);
    }
    const status = await statusOf(job);
    expect(status).toMatchObject({
      ...{ attempt: 3 + SUSPENSIONS, restarts: 1 },
      budgets: { flaky: { used: 1, allowed: SUSPENSIONS + RESTARTS } },
      replicaStatuses: { Master: { active: 1 }, Worker: { active: 3 } },
    });
    expect(evidenced(status)).toEqual([2]);
    const said = status.timeline.map(({ cause }) => cause);
    for (let attempt = 3; attempt < 3 + SUSPENSIONS; attempt++) {
      expect(said.filter((cause) => cause === `suspended by ana: rest ${attempt}`)).toHaveLength(1);
      expect(said.filter((cause) => cause === `resumed by bob: up ${attempt}`)).toHaveLength(1);
    }
    await completed(longJob, name);
    const runs = await runsOf(stage.temporal, job.workflowId, longJob.firstRun);
    expect(runs.length).toBeGreaterThan(3);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(MOST_EVENTS);
  });
});
