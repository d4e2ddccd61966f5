import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { statusOf } from '../status-of.ts';
import { courseOf, renewed, untilAttempt, untilStatus } from './attempts.ts';
import { type Manifest, onSimulatedNodes, simulatedJob, withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { askBy, commandLine, WAYS } from './ways-to-ask.ts';
import { acceptedUpdates, refusedUpdates } from './workflow-history.ts';

/** Roles of live jobs get other sizes: while the rest runs on where the kind can, else with a new start. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const ANA = { by: 'ana', why: 'nodes are back' };

async function running(manifest: Manifest): Promise<JobHandle> {
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

async function stopped(job: JobHandle): Promise<void> {
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
}

/** Exactly these pods run, each with a Service of its name, and nothing else is there. */
async function untilMembers(job: JobHandle, name: string, members: readonly string[]): Promise<JobStatus> {
  const objects = members.flatMap((member) => [`Pod/${name}-${member}`, `Service/${name}-${member}`]);
  await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`, ...objects]);
  return untilPhase(job, 'Running');
}

/** As each of the job's pods is told. */
const worldSizes = async (name: string) =>
  (await stage.pods(name))
    .flatMap(({ spec }) => spec.containers[0]?.env ?? [])
    .flatMap((variable) => (variable.name === 'WORLD_SIZE' ? variable.value : []));

/** Kubernetes keeps its own kind of group for as long as a pod of it runs. */
const WITHOUT_GROUP = { 'signalbox.dev/gang': 'none' };

const role = (container: string, replicas: number) => ({
  replicas,
  template: { spec: { containers: [{ name: container, image: 'train:1', command: ['train'] }] } },
});

const job = (kind: string, name: string, spec: Manifest['spec']): Manifest =>
  onSimulatedNodes({
    apiVersion: kind === 'paddle-operator' ? 'batch.paddlepaddle.org/v1' : 'kubeflow.org/v1',
    kind: kind === 'paddle-operator' ? 'PaddleJob' : kind,
    metadata: { name, namespace: stage.namespace, annotations: WITHOUT_GROUP },
    spec,
  });

/** A server and three workers, each in a slot of the pool. */
function inPool(name: string, { nodeSelector, resource }: NodePool): Manifest {
  const resources = { limits: { [resource]: '1' } };
  const containers = [{ name: 'tensorflow', image: 'train:1', command: ['train'], resources }];
  const template = { spec: { nodeSelector, terminationGracePeriodSeconds: 1, containers } };
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name, namespace: stage.namespace, annotations: WITHOUT_GROUP },
    spec: {
      enableDynamicWorker: true,
      tfReplicaSpecs: { PS: { replicas: 1, template }, Worker: { replicas: 3, template } },
    },
  };
}

const BOUNDS = { minReplicas: 1, maxReplicas: 4 };

interface Elastic {
  readonly kind: string;
  readonly name: string;
  readonly spec: Manifest['spec'];
  /** Beside the workers. */
  readonly others: readonly string[];
  /** More than this, or fewer, is refused with these words. */
  readonly outside: number;
  readonly refusal: string;
}

const ELASTIC: readonly Elastic[] = [
  {
    kind: 'PyTorchJob',
    name: 'torch',
    spec: { elasticPolicy: BOUNDS, pytorchReplicaSpecs: { Worker: role('pytorch', 2) } },
    others: [],
    outside: 5,
    refusal: 'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer from 1 to 4, got 5',
  },
  {
    kind: 'TFJob',
    name: 'flow',
    spec: {
      enableDynamicWorker: true,
      tfReplicaSpecs: { PS: role('tensorflow', 1), Worker: role('tensorflow', 2) },
    },
    others: ['ps-0'],
    outside: 0,
    refusal: 'spec.tfReplicaSpecs.Worker.replicas: expected an integer >= 1, got 0',
  },
  {
    kind: 'PaddleJob',
    name: 'paddle',
    spec: { elasticPolicy: BOUNDS, paddleReplicaSpecs: { Worker: role('paddle', 2) } },
    others: [],
    outside: 5,
    refusal: 'spec.paddleReplicaSpecs.Worker.replicas: expected an integer from 1 to 4, got 5',
  },
  {
    kind: 'paddle-operator',
    name: 'operator',
    spec: { elastic: 1, intranet: 'Service', worker: role('paddle', 2) },
    others: [],
    outside: 0,
    refusal: 'spec.worker.replicas: expected an integer >= 1, got 0',
  },
];

describe.each(ELASTIC)('an elastic job of $kind', ({ kind, name, spec, others, outside, refusal }) => {
  it.concurrent('gets more workers and loses the last ones, while the others continue', async () => {
    const handle = await running(job(kind, name, spec));
    const before = await stage.pods(name);
    const workers = (count: number) => Array.from({ length: count }, (_, index) => `worker-${index}`);

    await handle.scale({ role: 'Worker', replicas: 4, ...ANA });
    await untilMembers(handle, name, [...others, ...workers(4)]);
    const grown = await stage.pods(name);
    expect(renewed(before, grown)).toEqual([`${name}-worker-2`, `${name}-worker-3`]);

    await expect(handle.scale({ role: 'worker', replicas: outside })).rejects.toThrow(refusal);
    await handle.scale({ role: 'worker', replicas: 1 });
    const status = await untilMembers(handle, name, [...others, 'worker-0']);
    expect(renewed(before, await stage.pods(name))).toEqual([]);
    expect(status).toMatchObject({ attempt: 1, restarts: 0 });
    expect(courseOf(status)).toContain('Worker scaled to 4 by ana: nodes are back');
    expect(courseOf(status)).toContain('worker scaled to 1');

    for (const { metadata } of await stage.pods(name)) await stage.endPod(metadata.name, { exitCode: 0 });
    expect((await handle.wait()).phase).toBe('Completed');
  });
});

describe('a job without room for all of its pods', () => {
  it.concurrent('runs when it is scaled down to the room', async () => {
    const pool = await openNodePool(stage.cluster, { nodes: [2] });
    const job = await stage.client.submit(inPool('crowded', pool));
    await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'Unschedulable');
    await job.scale({ role: 'worker', replicas: 1, ...ANA });
    await untilMembers(job, 'crowded', ['ps-0', 'worker-0']);
    await stopped(job);
    await pool.remove();
  });
});

describe('a kind that cannot be scaled while it runs', () => {
  const rigid = (name: string, pool: NodePool, spec: object = {}) => {
    const { kind, spec: given, ...rest } = inPool(name, pool);
    return { ...rest, kind, spec: { ...given, enableDynamicWorker: false, ...spec } };
  };
  const onlyAttempt = (pods: readonly Pod[]) =>
    new Set(pods.map(({ metadata }) => metadata.labels?.['signalbox.dev/attempt']));

  it.concurrent('runs when it waits for room, and is scaled down to the room', async () => {
    const pool = await openNodePool(stage.cluster, { nodes: [2] });
    const job = await stage.client.submit(rigid('too-large', pool));
    await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'Unschedulable');
    await job.scale({ role: 'worker', replicas: 1, ...ANA });
    await untilMembers(job, 'too-large', ['ps-0', 'worker-0']);
    const { restarts, timeline } = await statusOf(job);
    expect(restarts).toBe(0);
    expect(timeline.map(({ cause }) => cause)).toContainEqual(
      expect.stringContaining('worker scaled to 1 by ana: nodes are back'),
    );
    expect(onlyAttempt(await stage.pods('too-large'))).toEqual(new Set(['2']));
    await expect(job.scale({ role: 'worker', replicas: 2 })).rejects.toThrow('while it runs');
    await stopped(job);
    await pool.remove();
  });

  it.concurrent('has its new size when it is resumed', async () => {
    const job = await stage.client.submit(plain('resized-at-rest'));
    await untilPhase(job, 'Running');
    await job.suspend({});
    await untilStatus(job, 'it rests', ({ state }) => state === 'Suspended.Resting');
    await job.scale({ role: 'worker', replicas: 3, ...ANA });
    await job.resume({});
    await untilMembers(job, 'resized-at-rest', ['master-0', 'worker-0', 'worker-1', 'worker-2']);
    expect(new Set(await worldSizes('resized-at-rest'))).toEqual(new Set(['4']));
    await stopped(job);
  });
});

const plain = (name: string, policy: object = {}) =>
  withPolicy(
    simulatedJob({ name, namespace: stage.namespace, annotations: WITHOUT_GROUP, worker: { replicas: 2 } }),
    policy,
  );

const RESTARTS = { scaleByRestart: true };

describe.each(WAYS)('asked through %s, a kind that cannot be scaled while it runs', (way) => {
  const prefix = way === 'temporal' ? 'temporal' : 'client';

  it.concurrent('refuses, unless its policy has scaleByRestart, with an entry in the timeline', async () => {
    const handle = await running(plain(`${prefix}-rigid`));
    const ask = askBy(stage, way);
    await expect(ask(handle, 'scale', { role: 'worker', replicas: 3 })).rejects.toThrow(
      'Worker of a PyTorchJob cannot change its size while it runs',
    );
    await expect(ask(handle, 'scale', { role: 'boss', replicas: 3 })).rejects.toThrow(
      'role: expected one of Master, Worker, got',
    );
    await expect(ask(handle, 'scale', { role: 'worker', replicas: -1 })).rejects.toThrow(
      'replicas: expected an integer >= 0, got -1',
    );
    expect(await acceptedUpdates(stage.temporal, handle)).toEqual([]);
    // What makes no sense at all leaves no trace.
    expect(await refusedUpdates(stage.temporal, handle)).toMatchObject([
      { name: 'scale', input: { role: 'worker' } },
      { name: 'scale', input: { role: 'boss' } },
    ]);
    expect((await statusOf(handle)).phase).toBe('Running');
    await stopped(handle);
  });

  it.concurrent('restarts its gang with the new size, up and down', async () => {
    const name = `${prefix}-restarts`;
    const handle = await running(plain(name, RESTARTS));
    const before = await stage.pods(name);
    const wish = { role: 'worker', replicas: 3, ...ANA };
    const ask = askBy(stage, way);
    await ask(handle, 'scale', wish);
    await untilAttempt(handle, 2);
    await untilMembers(handle, name, ['master-0', 'worker-0', 'worker-1', 'worker-2']);
    expect(renewed(before, await stage.pods(name))).toHaveLength(4);
    expect(await worldSizes(name)).toEqual(['4', '4', '4', '4']);
    expect(await acceptedUpdates(stage.temporal, handle)).toEqual([{ name: 'scale', input: wish }]);

    await ask(handle, 'scale', { role: 'worker', replicas: 1 });
    const status = await untilAttempt(handle, 3);
    await untilMembers(handle, name, ['master-0', 'worker-0']);
    expect(await worldSizes(name)).toEqual(['2', '2']);
    // Nothing failed: no budget is charged.
    expect(status.restarts).toBe(0);
    expect(courseOf(status)).toContain('worker scaled to 3 by ana: nodes are back');
    await stopped(handle);
  });
});

describe('a suspended job', () => {
  it.concurrent('has its new size when it is resumed', async () => {
    const handle = await running(plain('rests', RESTARTS));
    await handle.suspend({});
    await untilStatus(handle, 'it rests', ({ state }) => state === 'Suspended.Resting');
    await handle.scale({ role: 'worker', replicas: 1, ...ANA });
    expect(await stage.pods('rests')).toEqual([]);
    await handle.resume({});
    await untilAttempt(handle, 2);
    await untilMembers(handle, 'rests', ['master-0', 'worker-0']);
    expect(await worldSizes('rests')).toEqual(['2', '2']);
    await stopped(handle);
  });
});

describe('asked through the command line', () => {
  it.concurrent('a role is scaled, and a size that is not allowed is refused with its path', async () => {
    const signalbox = commandLine(stage);
    const handle = await running(job('PyTorchJob', 'by-command', ELASTIC[0]!.spec));
    expect(await signalbox('scale', 'by-command', 'worker=3', '--why', 'a demo')).toMatchObject({ code: 0 });
    await untilMembers(handle, 'by-command', ['worker-0', 'worker-1', 'worker-2']);
    expect(await signalbox('scale', 'by-command', 'worker=9')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('spec.pytorchReplicaSpecs.Worker.replicas'),
    });
    const { stdout } = await signalbox('history', 'by-command');
    expect(stdout).toMatch(/worker scaled to 3 by \S+@\S+: a demo/);
    await stopped(handle);
  });
});
