import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilRestarted, untilStatus } from './attempts.ts';
import { localJob } from './local-jobs.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { type Ask, askBy, commandLine, WAYS } from './ways-to-ask.ts';
import { acceptedUpdates } from './workflow-history.ts';

/** The policy of a live job is changed, and holds from then on. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const ANA = { by: 'ana', why: 'flaky loader' };
const AT_ONCE = { backOff: { initial: '0s' } };

async function running(name: string, policy: object): Promise<JobHandle> {
  const { namespace } = stage;
  const manifest = simulatedJob({ name, namespace, master: { restartPolicy: 'OnFailure' }, worker: false });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

const fail = (name: string) => stage.endPod(`${name}-master-0`, { exitCode: 1 });

/** What the watcher is told to look out for. */
async function watched(name: string): Promise<unknown> {
  const { metadata } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, `${name}.signalbox`);
  const rules = metadata.annotations?.['signalbox.dev/watch'];
  return rules === undefined ? undefined : JSON.parse(rules);
}

const budget = (restarts: number) => ({ failures: { classes: { userCode: { budget: restarts } } } });

describe.each(WAYS)('asked through %s', (way) => {
  const prefix = way === 'temporal' ? 'temporal' : 'client';
  let ask: Ask;
  beforeAll(() => {
    ask = askBy(stage, way);
  });

  it('a job gets a larger budget, and keeps what it has used', async () => {
    const name = `${prefix}-budget`;
    const job = await running(name, { restart: AT_ONCE, ...budget(1) });
    await fail(name);
    const { budgets } = await untilRestarted(job, 1);
    expect(budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    const change = { policy: budget(2), ...ANA };
    await ask(job, 'amendPolicy', change);
    expect((await statusOf(job)).budgets).toEqual({ userCode: { used: 1, allowed: 2 } });
    await fail(name);
    await untilRestarted(job, 2);
    await fail(name);
    const { phase, cause, timeline } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      rule: expect.stringContaining('failures.classes.userCode.budget: 2'),
    });
    expect(timeline.map((entry) => entry.cause)).toContain('policy changed (failures) by ana: flaky loader');
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([{ name: 'amendPolicy', input: change }]);
  });

  it('an invalid policy is refused with its faults, and the job continues unchanged', async () => {
    const name = `${prefix}-faulty`;
    const job = await running(name, budget(1));
    const wrong = { restart: { ladder: [{ scope: 'world' }] } };
    await expect(ask(job, 'amendPolicy', { policy: wrong, ...ANA })).rejects.toThrow(
      'restart.ladder[0].scope',
    );
    await expect(ask(job, 'amendPolicy', { policy: 'none', ...ANA })).rejects.toThrow(
      'policy: expected an object',
    );
    expect(await acceptedUpdates(stage.temporal, job)).toEqual([]);
    // What the job could understand is on record, what makes no sense at all is not.
    const refused = (await job.history()).flatMap(({ cause }) =>
      cause.type === 'request' && cause.refused !== undefined ? [cause.refused] : [],
    );
    expect(refused).toEqual([expect.stringContaining('restart.ladder[0].scope')]);
    const { phase, budgets, timeline } = await statusOf(job);
    expect(phase).toBe('Running');
    expect(budgets).toEqual({ userCode: { used: 0, allowed: 1 } });
    expect(timeline.map(({ cause }) => cause).join()).not.toContain('policy changed');
    await job.stop({});
    await job.wait();
  });
});

describe('the log pattern of progress', () => {
  it('can be changed while the job runs, and its anchor has the new one for the watcher', async () => {
    const script = 'i=0; while sleep 0.2; do i=$((i + 1)); echo "step=$i loss=0.$i"; done';
    const { namespace } = stage;
    const manifest = localJob({ name: 'tells', namespace, script });
    const policy = { progress: { log: 'step=(\\d+)', stalledAfter: '1h' } };
    const job = await stage.client.submit(withPolicy(manifest, policy));
    const reportsProgress = (pattern: RegExp) =>
      untilStatus(job, `its progress is like ${pattern}`, ({ progress = '' }) => pattern.test(progress));
    await reportsProgress(/^\d+$/);
    expect(await watched('tells')).toMatchObject({ progress: { log: 'step=(\\d+)' } });

    await job.amendPolicy({ policy: { progress: { log: 'loss=(\\S+)', stalledAfter: '3s' } }, ...ANA });
    await eventually('the anchor has the new pattern', async () => {
      const rules = (await watched('tells')) as { progress: { log: string } };
      return rules.progress.log === 'loss=(\\S+)';
    });
    await reportsProgress(/^0\.\d+$/);

    await job.amendPolicy({ policy: { progress: null }, ...ANA });
    await eventually('nothing is watched any more', async () => (await watched('tells')) === undefined);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  });
});

describe('asked through the command line', () => {
  it('a job gets another budget, and a faulty one is refused with its path', async () => {
    const signalbox = commandLine(stage);
    const job = await running('by-command', { restart: AT_ONCE, ...budget(0) });
    const path = 'failures.classes.userCode.budget';
    const asked = await signalbox('amend', 'by-command', '--set', `${path}=1`, '--why', 'flaky loader');
    expect(asked).toMatchObject({ code: 0 });
    await fail('by-command');
    await untilRestarted(job, 1);
    const refused = await signalbox('amend', 'by-command', '--set', `${path}=-1`);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(path) });
    const { stdout } = await signalbox('history', 'by-command');
    expect(stdout).toMatch(/policy changed \(failures\) by \S+@\S+: flaky loader/);
    await job.stop({});
    await job.wait();
  });
});
