import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { Engine } from '../../demo/engine.ts';
import { freePort } from '../../worker/free-port.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { kubeconfigAt } from './kubeconfig-at.ts';
import { SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** A job for each combination of parameters, so many at once, whatever happens to the worker. */

const TRIALS = 12;
const AT_MOST = 3;
const END = 'spec.pytorchReplicaSpecs.Master.template.metadata.annotations[signalbox.dev/simulate]';
const indexes = Array.from({ length: TRIALS }, (_, index) => index);

let stage: Stage;
let worker: Engine;
beforeAll(async () => {
  stage = await openStage({ localNode: false });
  [worker] = await Promise.all([stage.engine('worker'), stage.engine('watcher')]);
});
afterAll(() => stage.close());

const manifestOf = (name: string, annotations?: Readonly<Record<string, string>>) => {
  const master = { annotations, restartPolicy: 'Never' };
  return simulatedJob({ name, namespace: stage.namespace, master, worker: false });
};

const trialsOf = (name: string): Promise<JobSummary[]> =>
  allOf(stage.client.list({ namespace: stage.namespace, labels: { 'signalbox.dev/sweep': name } }));

const untilRunning = (sweep: SweepHandle, count: number) =>
  eventually(`${count} trials run`, async () => (await sweep.summary()).running === count);

/** The most jobs whose workflows were open at the same time. */
function mostAtOnce(jobs: readonly JobSummary[]): number {
  const changes = jobs.flatMap(({ startTime, endTime }) => [
    { at: Date.parse(startTime), by: 1 },
    { at: Date.parse(endTime!), by: -1 },
  ]);
  let [open, most] = [0, 0];
  for (const { by } of changes.sort((one, other) => one.at - other.at || one.by - other.by)) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

describe('a parameter sweep', () => {
  it('runs each combination once, so many at once, and goes on after its worker was killed', async () => {
    const name = 'survives';
    const set = { [`${END.replace('simulate]', 'number]')}`]: indexes.map(String) };
    const options = { set, atMost: AT_MOST, why: 'to compare' };
    const sweep = await stage.client.sweep(manifestOf(name, SUCCEEDS), options);
    await eventually('some trials have ended', async () => (await sweep.summary()).completed > 2);
    await worker.kill();
    worker = await stage.engine('worker');
    expect((await stage.client.sweep(manifestOf(name, SUCCEEDS), options)).workflowId).toBe(sweep.workflowId);
    expect(await sweep.wait()).toEqual({
      ...{ name, namespace: stage.namespace, phase: 'Completed', trials: TRIALS, atMost: AT_MOST },
      ...{ waiting: 0, running: 0, completed: TRIALS, failed: 0, stopped: 0, refused: 0, failures: [] },
    });
    const jobs = await trialsOf(name);
    expect(jobs.map((job) => job.name).sort()).toEqual(indexes.map((index) => `${name}-${index}`).sort());
    expect(new Set(jobs.map(({ submittedBy, why }) => `${submittedBy} ${why}`))).toEqual(
      new Set(['a test to compare']),
    );
    expect(mostAtOnce(jobs)).toBe(AT_MOST);
  }, 180_000);

  it('goes on when a trial fails, says which, and runs only what has not completed when it is started again', async () => {
    const name = 'fails';
    const set = { [END]: ['succeeded', 'failed', 'succeeded'] };
    const sweep = await stage.client.sweep(manifestOf(name, SUCCEEDS), { set });
    const summary = await sweep.wait();
    expect(summary).toMatchObject({ phase: 'Failed', completed: 2, failed: 1 });
    expect(summary.failures).toEqual([{ name: 'fails-1', phase: 'Failed', why: expect.any(String) }]);
    expect(await sweep.summary()).toEqual(summary);
    await (await stage.client.sweep(manifestOf(name, SUCCEEDS), { set })).wait();
    const counts = new Map<string, number>();
    for (const job of await trialsOf(name)) counts.set(job.name, (counts.get(job.name) ?? 0) + 1);
    expect([...counts].sort()).toEqual([
      ['fails-0', 1],
      ['fails-1', 2],
      ['fails-2', 1],
    ]);
  }, 120_000);

  it('is stopped as a whole, and leaves nothing', async () => {
    const name = 'stopped';
    const set = { [`${END.replace('simulate]', 'number]')}`]: indexes.map(String) };
    const sweep = await stage.client.sweep(manifestOf(name), { set, atMost: AT_MOST });
    await untilRunning(sweep, AT_MOST);
    expect(await sweep.stop({ by: 'eve', why: 'wrong data' })).toBe('requested');
    expect(await sweep.wait()).toMatchObject({
      ...{ phase: 'Stopped', stopped: AT_MOST, waiting: TRIALS - AT_MOST, running: 0 },
      stop: { by: 'eve', why: 'wrong data' },
    });
    expect(await sweep.stop()).toBe('already-ended');
    const jobs = await trialsOf(name);
    expect(jobs.map(({ phase }) => phase)).toEqual(['Stopped', 'Stopped', 'Stopped']);
    const outcome = await stage.client.job({ workflowId: jobs[0]!.workflowId }).wait();
    expect(outcome).toMatchObject({ phase: 'Stopped', by: 'eve', why: 'wrong data' });
    const left = (await stage.objects()).filter((object) => object.startsWith('Pod/stopped-'));
    expect(left).toEqual([]);
  }, 120_000);

  it('says how far it was while no worker answers, and goes on with the next one', async () => {
    const set = { [`${END.replace('simulate]', 'number]')}`]: indexes.map(String) };
    const sweep = await stage.client.sweep(manifestOf('orphaned'), { set, atMost: AT_MOST });
    await untilRunning(sweep, AT_MOST);
    await worker.kill();
    const counts = { phase: 'Running', running: AT_MOST, waiting: TRIALS - AT_MOST };
    expect(await sweep.summary()).toMatchObject({ ...counts, recordedIn: 'temporal' });
    const env = { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress, SIGNALBOX_NAMESPACE: stage.namespace };
    expect(await signalbox(['sweep', 'status', 'orphaned'], { env })).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('No trial starts until there is one') },
    });
    worker = await stage.engine('worker');
    await eventually('a worker answers', async () => (await sweep.summary()).recordedIn === undefined);
    await sweep.stop();
    expect(await sweep.wait()).toMatchObject({ phase: 'Stopped', stopped: AT_MOST });
  }, 180_000);

  it('loses no trial while the API server is away', async () => {
    const set = { [`${END.replace('simulate]', 'number]')}`]: indexes.map(String) };
    await worker.kill();
    await worker.start({ SIGNALBOX_KUBECONFIG: await kubeconfigAt(stage, await freePort()) });
    const sweep = await stage.client.sweep(manifestOf('waits', SUCCEEDS), { set, atMost: AT_MOST });
    await untilRunning(sweep, AT_MOST);
    await worker.kill();
    await worker.start();
    expect(await sweep.wait()).toMatchObject({ phase: 'Completed', completed: TRIALS });
    expect((await trialsOf('waits')).length).toBe(TRIALS);
  }, 240_000);

  it('reports a trial whose name another job has', async () => {
    await stage.client.submit(manifestOf('taken-1'));
    const set = { [END]: ['succeeded', 'succeeded'] };
    const summary = await (await stage.client.sweep(manifestOf('taken'), { set })).wait();
    expect(summary).toMatchObject({ phase: 'Failed', completed: 1, refused: 1 });
    expect(summary.failures).toMatchObject([
      { name: 'taken-1', why: expect.stringContaining('has been running') },
    ]);
    await expect(stage.client.sweep(manifestOf('nothing'), { set: { lr: [1] } })).rejects.toMatchObject({
      code: 'InvalidManifest',
    });
    await expect(stage.client.sweepNamed({ name: 'nothing' }).summary()).rejects.toMatchObject({
      code: 'JobNotFound',
    });
  }, 120_000);

  it('shows each trial with its values, and the last progress that it reported', async () => {
    const env = { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress, SIGNALBOX_NAMESPACE: stage.namespace };
    const loss = END.replace('signalbox.dev/simulate', 'example.com/loss');
    const template = withPolicy(manifestOf('tuned'), { progress: { annotation: 'example.com/loss' } });
    // An earlier sweep of the name: of its trials only what has completed is one of the next sweep.
    const before = { [loss]: ['0.5'], [END]: ['succeeded', 'failed'] };
    await (await stage.client.sweep(template, { set: before })).wait();
    const set = { [loss]: ['0.5', '2.5e-05'], [END]: ['succeeded', 'failed', 'never'] };
    const sweep = await stage.client.sweep(template, { set, atMost: 1 });
    const trials = await eventually('the third one reports its loss', async () => {
      const found = await sweep.trials();
      return found[2]?.phase === 'Running' && found[2].progress !== undefined ? found : undefined;
    });
    expect(trials).toMatchObject([
      { name: 'tuned-0', phase: 'Completed', values: { [loss]: '0.5', [END]: 'succeeded' } },
      { name: 'tuned-1', phase: 'Failed', reason: 'PodFailed', values: { [loss]: '0.5', [END]: 'failed' } },
      { name: 'tuned-2', phase: 'Running', progress: '0.5', startTime: expect.any(String) },
      { name: 'tuned-3', phase: 'Waiting', values: { [loss]: '2.5e-05', [END]: 'succeeded' } },
      { name: 'tuned-4', phase: 'Waiting' },
      { name: 'tuned-5', phase: 'Waiting' },
    ]);
    const sorted = ['sweep', 'status', 'tuned', '--sort', 'name:desc', '--no-headers'];
    const { stdout } = await signalbox(sorted, { env });
    expect(stdout.split('\n')[3]).toMatch(/^tuned-2 +0\.5 +never +Running +0\.5 +\d/);
    const csv = await signalbox(['sweep', 'status', 'tuned', '--trials', '-o', 'csv'], { env });
    expect(csv.stdout.split('\n').map((line) => line.split(',')[0])).toEqual([
      ...['name', 'tuned-0', 'tuned-1', 'tuned-2', 'tuned-3', 'tuned-4', 'tuned-5', ''],
    ]);
    await sweep.stop();
    expect(await sweep.wait()).toMatchObject({ phase: 'Stopped' });
  }, 120_000);

  it('is started, shown and stopped on the command line', async () => {
    const env = { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress, SIGNALBOX_NAMESPACE: stage.namespace };
    const stdin = JSON.stringify(manifestOf('typed'));
    const set = ['--set', `${END}=never,succeeded`];
    const started = await signalbox(['sweep', '-', ...set], { env, stdin });
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('/typed started; see') });
    await eventually('one has ended', async () => {
      const { stdout } = await signalbox(['sweep', 'status', 'typed', '-o', 'json'], { env });
      return stdout.startsWith('{') && JSON.parse(stdout).completed === 1;
    });
    const listed = await eventually('the list has it', async () => {
      const { stdout } = await signalbox(['sweep', 'list', '-o', 'json', '--limit', '1'], { env });
      return stdout.includes('"completed": 1') ? stdout : undefined;
    });
    expect(JSON.parse(listed)).toMatchObject([
      {
        ...{ name: 'typed', phase: 'Running', trials: 2, running: 1, completed: 1 },
        workflowId: expect.any(String),
      },
    ]);
    expect(await signalbox(['sweep', 'status', 'typo'], { env })).toMatchObject({
      ...{
        code: 3,
        stderr: expect.stringMatching(/There is no sweep .*\/typo\.\nSee `signalbox sweep list`/),
      },
    });
    const words = ['sweep', 'stop', 'typed', '--why', 'enough', '--wait', '-o', 'json'];
    const { code, stdout } = await signalbox(words, { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ phase: 'Stopped', completed: 1, stopped: 1 },
      stop: { by: expect.stringContaining('@'), why: 'enough' },
    });
    const ends = ['never', 'failed', 'never', 'never'].join();
    const onFailure = ['sweep', '-', '--set', `${END}=${ends}`, '--name', 'breaks', '--at-most', '2'];
    expect(await signalbox([...onFailure, '--stop-on-failure', '--wait'], { env, stdin })).toMatchObject({
      ...{ code: 10, stdout: expect.stringMatching(/phase +Failed/) },
    });
    const broken = await signalbox(['sweep', 'status', 'breaks', '-o', 'json'], { env });
    expect(JSON.parse(broken.stdout)).toMatchObject({
      ...{ phase: 'Failed', failed: 1, stopped: 1, waiting: 2, running: 0 },
      stop: { trial: 'breaks-1', why: expect.stringContaining('breaks-1 has failed') },
    });
    const failing = ['sweep', '-', '--set', `${END}=failed`, '--name', 'ends', '--wait'];
    expect(await signalbox(failing, { env, stdin })).toMatchObject({
      code: 10,
      stdout: expect.stringContaining('1 trial: 1 failed'),
    });
  }, 120_000);
});
