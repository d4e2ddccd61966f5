import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { Engine } from '../../demo/engine.ts';
import { makeCurrent, versioningOf } from './current-build.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/**
 * Two builds of the worker, rolled over running jobs by Temporal's worker versioning. The task queue is their own: an
 * unversioned worker would take their tasks.
 */

const NAMESPACE = 'default';
const taskQueue = `versions-${randomUUID().slice(0, 8)}`;
const workers: Engine[] = [];
let stage: Stage;
let client: SignalboxClient;

beforeAll(async () => {
  stage = await openStage();
  await stage.engine('watcher');
  const temporal = { address: stage.sandbox.temporalAddress, namespace: NAMESPACE };
  client = await SignalboxClient.connect({ temporal, taskQueue, namespace: stage.namespace });
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await client?.close();
  await stage?.close();
});

interface Build {
  readonly deployment: string;
  readonly buildId: string;
  readonly upgrade?: 'pinned' | 'auto-upgrade';
}

async function startWorker({ deployment, buildId, upgrade }: Build): Promise<Engine> {
  const logFile = join(
    stage.sandbox.dir,
    'engines',
    `${taskQueue}-${deployment.replace('/', '-')}-${buildId}.log`,
  );
  const worker = new Engine('worker', stage.sandbox, { logFile });
  workers.push(worker);
  return worker.start({
    SIGNALBOX_TASK_QUEUE: taskQueue,
    TEMPORAL_DEPLOYMENT_NAME: deployment,
    TEMPORAL_WORKER_BUILD_ID: buildId,
    ...(upgrade ? { SIGNALBOX_UPGRADE: upgrade } : {}),
  });
}

async function running(name: string): Promise<JobHandle> {
  const job = await client.submit(simulatedJob({ name, namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  return job;
}

async function complete(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

const makeBuildCurrent = ({ deployment: deploymentName, buildId }: Build) =>
  makeCurrent(stage.temporal, { deploymentName, buildId });

const buildOf = async (job: JobHandle) => (await versioningOf(stage.temporal, job)).buildId;

describe('a new build of the worker', () => {
  it('takes over running jobs, so that the old build can stop', async () => {
    const [one, two] = [
      // As Temporal's worker controller names one.
      { deployment: 'ml/upgraded', buildId: 'one' },
      { deployment: 'ml/upgraded', buildId: 'two' },
    ];
    const old = await startWorker(one);
    await makeBuildCurrent(one);
    const job = await running('upgraded');
    expect(await buildOf(job)).toBe('one');

    await startWorker(two);
    await makeBuildCurrent(two);
    await old.stop();
    await complete(job, 'upgraded');
    expect(await buildOf(job)).toBe('two');
  });

  it('leaves pinned jobs to the old build, and takes the new ones', async () => {
    const [one, two] = [
      { deployment: 'pinned', buildId: 'one', upgrade: 'pinned' },
      { deployment: 'pinned', buildId: 'two', upgrade: 'pinned' },
    ] as const;
    await startWorker(one);
    await makeBuildCurrent(one);
    const before = await running('pinned-before');
    await startWorker(two);
    await makeBuildCurrent(two);
    const after = await running('pinned-after');
    await complete(before, 'pinned-before');
    await complete(after, 'pinned-after');
    expect([await buildOf(before), await buildOf(after)]).toEqual(['one', 'two']);
  });
});
