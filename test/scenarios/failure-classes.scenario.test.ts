import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { untilRestarted, untilStatus } from './attempts.ts';
import { failPod, type PodEnd } from './failed-pods.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** What a failure costs depends on what kind of failure it is. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

interface Options {
  readonly backoffLimit?: number;
  readonly restartPolicy?: string;
  readonly limits?: Readonly<Record<string, string>>;
}

const POD_AT_ONCE = { ladder: [{ scope: 'pod' }], backOff: { initial: '0s' } };

async function running(name: string, failures: object, options: Options = {}): Promise<JobHandle> {
  const { backoffLimit, restartPolicy, limits } = options;
  const manifest = simulatedJob({
    name,
    namespace: stage.namespace,
    limits,
    worker: { restartPolicy },
    runPolicy: { backoffLimit, cleanPodPolicy: 'All' },
  });
  const job = await stage.client.submit(withPolicy(manifest, { restart: POD_AT_ONCE, failures }));
  await untilPhase(job, 'Running');
  return job;
}

const failWorker = (name: string, end: PodEnd) => failPod(stage, `${name}-worker-0`, end);

async function complete(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  expect(await stage.pods(name)).toEqual([]);
}

const PREEMPTED: PodEnd = { exitCode: 143, disruption: 'PreemptionByScheduler' };

describe('a free failure class', () => {
  it.concurrent('allows any number of preemptions, and leaves backoffLimit to failures of the program', async () => {
    const classes = { infrastructure: { free: true } };
    const job = await running('spot', { classes }, { backoffLimit: 1 });
    for (const restarts of [1, 2, 3]) {
      await failWorker('spot', PREEMPTED);
      await untilRestarted(job, restarts);
    }
    await failWorker('spot', { exitCode: 1 });
    await untilRestarted(job, 4);
    await failWorker('spot', { exitCode: 1 });
    const { phase, cause, restarts } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 4 });
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', rule: 'spec.runPolicy.backoffLimit: 1' });
    expect(await stage.pods('spot')).toEqual([]);
  });
});

describe('a template that names a node that does not exist', () => {
  it.concurrent('is named while its pods wait, and ends the job by its restart policy', async () => {
    const { namespace } = stage;
    const template = { spec: { nodeName: 'sim-77', containers: [{ name: 'pytorch', image: 'train:1' }] } };
    const job = await stage.client.submit({
      ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
      metadata: { name: 'nowhere', namespace, annotations: { 'signalbox.dev/gang': 'none' } },
      spec: { pytorchReplicaSpecs: { Worker: { replicas: 1, restartPolicy: 'Never', template } } },
    });
    const waiting = await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'ContainersNotReady');
    const answer = await job.whyWaiting();
    expect(answer.reasons[0]).toMatchObject({ code: 'DependencyMissing', who: 'you' });
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Failed');
    for (const message of [waiting.cause?.message, answer.reasons[0]?.sentence, cause?.message])
      expect(message).toContain('sim-77');
  });
});

describe('a failure class with a budget of its own', () => {
  it.concurrent('uses up its budget, and not backoffLimit', async () => {
    const job = await running('budget', { classes: { userCode: { budget: 1 } } }, { backoffLimit: 1 });
    await failWorker('budget', { exitCode: 1 });
    const charged = await untilRestarted(job, 1);
    expect(charged.budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    // Not the program's fault: this one is counted by backoffLimit, of which nothing was used so far.
    await failWorker('budget', PREEMPTED);
    const counted = await untilRestarted(job, 2);
    expect(counted.budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    await failWorker('budget', { exitCode: 1 });
    const { phase, cause, restarts } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 2 });
    expect(cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      pod: 'budget-worker-0',
      exitCode: 1,
      rule: expect.stringContaining('failures.classes.userCode.budget: 1'),
    });
    expect(await stage.pods('budget')).toEqual([]);
  });

  it.concurrent('restarts a pod whose restartPolicy is Never', async () => {
    const classes = { infrastructure: { budget: 5 } };
    const job = await running('never', { classes }, { restartPolicy: 'Never' });
    await failWorker('never', PREEMPTED);
    await untilRestarted(job, 1);
    await failWorker('never', { exitCode: 1 });
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({
      reason: 'PodFailed',
      rule: 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never',
    });
  });
});

describe('a final failure class', () => {
  const rules = [{ class: 'badData', exitCodes: [42, '100-120'] }];

  it.concurrent.each([42, 110])('ends the job at the first exit with code %d', async (exitCode) => {
    const name = `final-${exitCode}`;
    const job = await running(name, { rules, classes: { badData: { final: true } } });
    await failWorker(name, { exitCode });
    const { phase, cause, restarts, evidence } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 0 });
    expect(cause).toMatchObject({
      reason: 'FinalFailure',
      exitCode,
      rule: expect.stringContaining('failures.classes.badData.final: true'),
    });
    expect(evidence).toMatchObject([{ pod: `${name}-worker-0`, exitCode }]);
    expect(await stage.pods(name)).toEqual([]);
  });

  it.concurrent('leaves other exit codes to the restartPolicy', async () => {
    const job = await running('other', { rules, classes: { badData: { final: true } } });
    await failWorker('other', { exitCode: 41 });
    await untilRestarted(job, 1);
    await complete(job, 'other');
  });

  it.concurrent('matches a pattern in the termination message, where there is no log', async () => {
    const pattern = 'corrupt(ed)? record';
    const failures = { rules: [{ class: 'badData', pattern }], classes: { badData: { final: true } } };
    const job = await running('said', failures);
    await failWorker('said', { exitCode: 1, message: 'cannot read shard 3' });
    await untilRestarted(job, 1);
    await failWorker('said', { exitCode: 1, message: 'corrupted record in shard 3' });
    expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'FinalFailure' } });
  });
});

describe('an OOM-killed container', () => {
  const classes = { infrastructure: { free: true }, userCode: { final: true } };
  const OUT_OF_MEMORY: PodEnd = { exitCode: 137, reason: 'OOMKilled' };

  it.concurrent('counts as userCode if it has a memory limit of its own', async () => {
    const job = await running('greedy', { classes }, { limits: { memory: '1Gi' } });
    await failWorker('greedy', OUT_OF_MEMORY);
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({
      reason: 'FinalFailure',
      rule: expect.stringContaining('failures.classes.userCode.final'),
    });
  });

  it.concurrent('counts as infrastructure if it has no memory limit', async () => {
    const job = await running('squeezed', { classes });
    await failWorker('squeezed', OUT_OF_MEMORY);
    await untilRestarted(job, 1);
    await complete(job, 'squeezed');
  });
});
