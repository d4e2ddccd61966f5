import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { unlessNotFound } from '../../cluster/errors.ts';
import { CASES, readCase, readManifest } from '../comparison/case.ts';
import type { ObservedStatus } from '../comparison/observed.ts';
import { asKubeflow } from '../comparison/statuses.ts';
import { statusOf } from '../status-of.ts';
import { historyCostOf } from './history-budget.ts';
import { onSimulatedNodes } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

/** Other tests run these: they need a gang scheduler, a status of their own, or what the worker is not configured for here. */
const ELSEWHERE = /^gang-|^vcjob-|^trainjob-|etcd|scale|host-/;

const STARTED = CASES.filter((name) => !ELSEWHERE.test(name) && !readCase(name).job.plan.runPolicy.suspend);

/** Jobs of all cases live in one namespace, each under a name of its own. */
async function start(name: string, change: (spec: Fields) => void = () => undefined): Promise<JobHandle> {
  const manifest = structuredClone(readManifest(name)) as Fields;
  change(manifest.spec as Fields);
  const named = { ...manifest, metadata: { name: shortName(name), namespace: stage.namespace } };
  return await stage.client.submit(onSimulatedNodes(named));
}

type Fields = Record<string, unknown>;
let started = 0;
const shortName = (name: string) =>
  `${name
    .slice(0, 20)
    .replace(/[^a-z0-9]+$/, '')
    .replaceAll('.', '-')}-${++started}`;

/** What the original operator wrote, with this job's name and namespace in its sentences. */
function expected(
  observed: ObservedStatus,
  name: string,
  { job }: ReturnType<typeof readCase>,
): ObservedStatus {
  const text = JSON.stringify(observed.conditions)
    .replaceAll(`${job.namespace}/${job.name} `, `${stage.namespace}/${name} `)
    .replaceAll(`Job ${job.name} `, `Job ${name} `);
  return { conditions: JSON.parse(text) };
}

/** The job may be over, and its other pods deleted, before the last of them is asked to end. */
const endAll = async (handle: JobHandle, exitCode: number) => {
  const { name } = await statusOf(handle);
  for (const { metadata } of await stage.pods(name))
    await stage.endPod(metadata.name, { exitCode }).catch(unlessNotFound);
};

/**
 * On a quiet machine the plain life of most kinds is 2 digests, 34 events and 6 workflow tasks. On a busy one, pods start
 * and end further apart, so there are more digests.
 */
const MOST_DIGESTS = 8;
/** A signal, an activity, a workflow task for each of both, and search attributes. */
const DIGEST = { events: 11, tasks: 2 };
/** Without its digests. */
const LIFE = { events: 26, tasks: 6 };

describe.each(STARTED)('the job of %s', (name) => {
  const golden = readCase(name);
  const { statusWhenRunning, statusWhenAllSucceeded } = golden.observed;

  it('runs, and completes when its pods have succeeded', async () => {
    const handle = await start(name);
    const running = await untilPhase(handle, 'Running');
    if (wasRunning(statusWhenRunning)) {
      expect(asKubeflow(running)).toMatchObject(expected(statusWhenRunning, running.name, golden));
    }
    await endAll(handle, 0);
    const outcome = await handle.wait();
    expect(outcome.phase).toBe('Completed');
    const { events, workflowTasks, digests } = await historyCostOf(stage, handle);
    expect(digests).toBeLessThanOrEqual(MOST_DIGESTS);
    expect(events).toBeLessThanOrEqual(LIFE.events + digests * DIGEST.events);
    expect(workflowTasks).toBeLessThanOrEqual(LIFE.tasks + digests * DIGEST.tasks);
    if (wasRunning(statusWhenRunning) && statusWhenAllSucceeded?.conditions) {
      expect(asKubeflow(outcome)).toMatchObject(expected(statusWhenAllSucceeded, running.name, golden));
    }
  });
});

/** One job of each kind, the pod that fails, and what is then said of the job. */
const FAILURES: readonly (readonly [name: string, pod: string, condition: string, reason: string])[] = [
  [
    'pytorch-ddp',
    'worker-0',
    'PyTorchJob JOB is failed because 1 Worker replica(s) failed.',
    'PyTorchJobFailed',
  ],
  [
    'tf-chief-ps',
    'worker-1',
    'TFJob NAMESPACE/JOB has failed because 1 Worker replica(s) failed.',
    'TFJobFailed',
  ],
  ['xgboost', 'master-0', 'XGBoostJob JOB is failed because 1 Master replica(s) failed.', 'XGBoostJobFailed'],
  [
    'paddle-collective',
    'worker-1',
    'PaddleJob JOB is failed because 1 Worker replica(s) failed.',
    'PaddleJobFailed',
  ],
  ['jax', 'worker-0', 'JAXJob JOB is failed because 1 Worker replica(s) failed.', 'JAXJobFailed'],
  ['mpi-v1', 'launcher', 'MPIJob JOB is failed because 1 Launcher replica(s) failed.', 'MPIJobFailed'],
  [
    'mpi-v2-launcher-fails',
    'launcher',
    'Job has reached the specified backoff limit',
    'BackoffLimitExceeded',
  ],
  [
    'paddlejob-ps-v0.3.0',
    'ps-1',
    'PaddleJob JOB is failed because 1 ps replica(s) failed.',
    'PaddleJobFailed',
  ],
];

describe.each(FAILURES)('a job of %s', (name, pod, message, reason) => {
  it(`fails with ${pod}, with the message of its kind`, async () => {
    const handle = await start(name, neverAgain);
    const { name: jobName } = await untilPhase(handle, 'Running');
    await stage.endPod(`${jobName}-${pod}`, { exitCode: 1 });
    const { phase, cause, conditions } = await handle.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({ pod: `${jobName}-${pod}`, exitCode: 1 });
    expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Created=True',
      'Running=False',
      'Failed=True',
    ]);
    const expectedMessage = message.replace('NAMESPACE', stage.namespace).replace('JOB', jobName);
    expect(conditions.at(-1)).toMatchObject({ reason, message: expectedMessage });
  });
});

/** No role runs a pod again. */
function neverAgain(spec: Fields): void {
  const roles = Object.entries(spec).find(([field]) => field.endsWith('ReplicaSpecs'))?.[1] ?? {};
  for (const role of Object.values(roles)) (role as Fields).restartPolicy = 'Never';
}

/** Some cases never got so far on the simulated nodes of the original operator. */
const wasRunning = (status: ObservedStatus | undefined): status is ObservedStatus =>
  JSON.stringify(status?.conditions ?? []).includes('Running');
