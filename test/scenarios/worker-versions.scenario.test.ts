import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobResource } from '../../contracts/job-resources.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { Engine, type EngineCommand } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { PYTORCH } from './bridged-stage.ts';
import { makeCurrent, versioningOf } from './current-build.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/**
 * Two builds of the worker, rolled over running jobs by Temporal's worker versioning; some of the jobs are custom resources.
 * The task queue is their own: an unversioned worker would take their tasks.
 */

const NAMESPACE = 'default';
const taskQueue = `versions-${randomUUID().slice(0, 8)}`;
const engines: Engine[] = [];
let stage: Stage;
let kubectl: Kubectl;
let client: SignalboxClient;

beforeAll(async () => {
  stage = await openStage();
  kubectl = await openKubectl(stage);
  await applyDefinitions(kubectl);
  await stage.engine('watcher');
  const temporal = { address: stage.sandbox.temporalAddress, namespace: NAMESPACE };
  client = await SignalboxClient.connect({ temporal, taskQueue, namespace: stage.namespace });
});

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  await client?.close();
  await stage?.close();
  if (kubectl) await deleteDefinitions(kubectl);
});

interface Build {
  readonly deployment: string;
  readonly buildId: string;
  readonly upgrade?: 'pinned' | 'auto-upgrade';
}

function start(part: EngineCommand, name: string, settings: NodeJS.ProcessEnv = {}): Promise<Engine> {
  const logFile = join(stage.sandbox.dir, 'engines', `${taskQueue}-${name}.log`);
  const engine = new Engine(part, stage.sandbox, { logFile });
  engines.push(engine);
  return engine.start({ SIGNALBOX_TASK_QUEUE: taskQueue, ...settings });
}

const startWorker = ({ deployment, buildId, upgrade }: Build): Promise<Engine> =>
  start('worker', `${deployment.replace('/', '-')}-${buildId}`, {
    TEMPORAL_DEPLOYMENT_NAME: deployment,
    TEMPORAL_WORKER_BUILD_ID: buildId,
    ...(upgrade ? { SIGNALBOX_UPGRADE: upgrade } : {}),
  });

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

const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid).sort();

const buildOf = async (job: JobHandle) => (await versioningOf(stage.temporal, job)).buildId;

/** The job of a custom resource. */
async function applied(name: string): Promise<JobHandle> {
  await kubectl.apply([simulatedJob({ name, namespace: stage.namespace })]);
  await untilResource(name, 'runs', ({ status }) => status?.phase === 'Running');
  return client.job({ name });
}

const untilResource = (name: string, what: string, is: (resource: JobResource) => boolean) =>
  eventually(`the resource ${name} ${what}`, async () => {
    const resource = await stage.cluster.get<JobResource>(PYTORCH, stage.namespace, name);
    if (!is(resource)) throw new Error(`it has ${JSON.stringify(resource.status)}`);
    return resource;
  });

describe('a new build of the worker', () => {
  it('takes over running jobs, so that the old build can stop', async () => {
    const [one, two] = [
      // As Temporal's worker controller names one.
      { deployment: 'ml/upgraded', buildId: 'one' },
      { deployment: 'ml/upgraded', buildId: 'two' },
    ];
    const old = await startWorker(one);
    await makeBuildCurrent(one);
    const oldBridge = await start('bridge', 'bridge-one');
    const [job, ofResource] = await Promise.all([running('upgraded'), applied('upgraded-resource')]);
    for (const each of [job, ofResource]) expect(await buildOf(each)).toBe('one');
    const pods = await stage.pods('upgraded-resource');

    await startWorker(two);
    await makeBuildCurrent(two);
    await Promise.all([old.stop(), oldBridge.stop()]);
    await complete(job, 'upgraded');
    expect(await buildOf(job)).toBe('two');

    // Its edit waits for the new bridge, and is followed by the new build; nothing else happens to the job.
    const limit = { spec: { runPolicy: { backoffLimit: 7 } } };
    await kubectl('patch', 'pytorchjob', 'upgraded-resource', '--type=merge', '-p', JSON.stringify(limit));
    await start('bridge', 'bridge-two');
    await untilResource('upgraded-resource', 'is followed', ({ status }) => status?.appliedGeneration === 2);
    expect(uidsOf(await stage.pods('upgraded-resource'))).toEqual(uidsOf(pods));
    await complete(ofResource, 'upgraded-resource');
    await kubectl('wait', '--for=condition=Succeeded', 'pytorchjob/upgraded-resource', '--timeout=60s');
    expect(await buildOf(ofResource)).toBe('two');
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
