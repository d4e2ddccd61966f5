import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type JobOptions, simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { openTemporalCli, type TemporalCli } from './temporal-cli.ts';

/** Temporal can run a workflow again by itself, or from an earlier point, under the same first run. */

let stage: Stage;
let temporal: TemporalCli;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  temporal = await openTemporalCli(stage);
});

afterAll(() => stage.close());

const jobOf = (name: string, options: Partial<JobOptions> = {}) =>
  simulatedJob({ name, namespace: stage.namespace, worker: false, ...options });

const workflowIdOf = (name: string) => `job/${stage.namespace}/${name}`;

const anchorOf = (name: string) => stage.cluster.find(CONFIG_MAPS, stage.namespace, anchorNameOf(name));

const uidsOf = async (name: string) => (await stage.pods(name)).map(({ metadata }) => metadata.uid).sort();

it('a workflow with a cron schedule fails in each run, creates nothing, and says what to do instead', async () => {
  const started = await stage.temporal.workflow.start('trainingJob', {
    ...{ workflowId: workflowIdOf('crony'), taskQueue: 'signalbox', args: [jobOf('crony')] },
    cronSchedule: '@every 2s',
  });
  const first = stage.temporal.workflow.getHandle(started.workflowId, started.firstExecutionRunId);
  const failure = await eventually('its first run has failed', async () => {
    const { events } = await first.fetchHistory();
    return events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure ?? undefined;
  });
  expect(failure).toMatchObject({
    message: expect.stringContaining('the workflow has the cron schedule "@every 2s"'),
    applicationFailureInfo: { type: 'JobFailed', nonRetryable: true },
  });
  expect(await anchorOf('crony')).toBeUndefined();
  await stage.temporal.workflow.getHandle(started.workflowId).terminate();
});

it('a run that was started by a retry policy fails at once, and creates nothing', async () => {
  const options = { workflowId: workflowIdOf('retried'), taskQueue: 'signalbox', args: [jobOf('retried')] };
  const retry = { initialInterval: '1s', maximumAttempts: 3 } as const;
  const started = await stage.temporal.workflow.start('trainingJob', {
    ...options,
    ...{ retry, workflowRunTimeout: '5s' },
  });
  await expect(started.result()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('attempt 2 of the workflow by its retry policy') },
  });
});

it.each(['FirstWorkflowTask', 'LastWorkflowTask'])(
  'a live job whose workflow is reset to its %s keeps its pods',
  async (type) => {
    const name = `live-${type.toLowerCase()}`;
    const job = await stage.client.submit(jobOf(name));
    await untilPhase(job, 'Running');
    const before = await uidsOf(name);
    await temporal(
      'workflow',
      'reset',
      '--workflow-id',
      job.workflowId,
      '--type',
      type,
      '--reason',
      'a test',
    );
    const reset = stage.client.job({ name });
    await untilPhase(reset, 'Running');
    expect(await uidsOf(name)).toEqual(before);
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    expect((await reset.wait()).phase).toBe('Completed');
  },
);

it('an ended job whose workflow is reset to its start runs again, with its own pods', async () => {
  const job = await stage.client.submit(jobOf('ended', { runPolicy: { cleanPodPolicy: 'None' } }));
  await untilPhase(job, 'Running');
  const before = await uidsOf('ended');
  await stage.endPod('ended-master-0', { exitCode: 0 });
  await job.wait();
  const reset = ['--type', 'FirstWorkflowTask', '--reason', 'a test'];
  await temporal('workflow', 'reset', '--workflow-id', job.workflowId, ...reset);
  const again = stage.client.job({ name: 'ended' });
  await untilPhase(again, 'Running');
  expect(await uidsOf('ended')).not.toEqual(before);
  await stage.endPod('ended-master-0', { exitCode: 0 });
  expect((await again.wait()).phase).toBe('Completed');
  expect((await statusOf(again)).restarts).toBe(0);
});
