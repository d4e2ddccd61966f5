import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import {
  COSCHEDULING_POD_GROUPS,
  POD_GROUPS,
  type Resource,
  VOLCANO_POD_GROUPS,
} from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { renewed, untilRestarted, untilStatus } from './attempts.ts';
import type { Manifest } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** The group of a job that is scaled while it runs: as large as the job, where its scheduler lets that be changed. */

let stage: Stage;
/** With room for everybody, and for two pods at a time. */
let wide: NodePool;
let narrow: NodePool;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  wide = await openNodePool(stage.cluster, { nodes: [20] });
  narrow = await openNodePool(stage.cluster, { nodes: [2] });
});

afterAll(async () => {
  await Promise.all([wide.remove(), narrow.remove()]);
  await stage.close();
});

/** All of its pods are the gang. */
function aGang(name: string, gang: string, { nodeSelector, resource }: NodePool): Manifest {
  const resources = { limits: { [resource]: '1' } };
  const containers = [{ name: 'tensorflow', image: 'train:1', command: ['train'], resources }];
  const template = { spec: { nodeSelector, terminationGracePeriodSeconds: 1, containers } };
  const role = (replicas: number) => ({ replicas, restartPolicy: 'OnFailure', template });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name, namespace: stage.namespace, annotations: { 'signalbox.dev/gang': gang } },
    spec: { enableDynamicWorker: true, tfReplicaSpecs: { PS: role(1), Worker: role(3) } },
  };
}

async function running(name: string, gang: string): Promise<JobHandle> {
  const job = await stage.client.submit(aGang(name, gang, wide));
  await untilPhase(job, 'Running');
  return job;
}

const groupOf = async (groups: Resource, name: string) =>
  (await stage.cluster.get(groups, stage.namespace, name)).spec;

async function scaleTo(job: JobHandle, name: string, workers: number): Promise<void> {
  await job.scale({ role: 'worker', replicas: workers });
  await eventually(`${workers} workers are there`, async () => {
    const pods = await stage.pods(name);
    return pods.length === workers + 1 && (await statusOf(job)).phase === 'Running';
  });
}

describe.each([
  {
    gang: 'volcano',
    groups: VOLCANO_POD_GROUPS,
    follows: true,
    size: (members: number) => ({ minMember: members }),
  },
  {
    gang: 'native',
    groups: POD_GROUPS,
    follows: false,
    size: (members: number) => ({ schedulingPolicy: { gang: { minCount: members } } }),
  },
])('a gang of $gang', ({ gang, groups, follows, size }) => {
  it(`that is scaled has an updated group: ${follows}`, async () => {
    const name = `sized-${gang}`;
    const job = await running(name, gang);
    expect(await groupOf(groups, name)).toMatchObject(size(4));
    await scaleTo(job, name, 5);
    expect(await groupOf(groups, name)).toMatchObject(size(follows ? 6 : 4));
    await scaleTo(job, name, 1);
    expect(await groupOf(groups, name)).toMatchObject(size(follows ? 2 : 4));
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  });

  it('without room runs when it is scaled down to the room', async () => {
    const name = `crowded-${gang}`;
    const job = await stage.client.submit(aGang(name, gang, narrow));
    await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'WaitingForGang');
    await job.scale({ role: 'worker', replicas: 1 });
    const { restarts } = await untilPhase(job, 'Running');
    expect(restarts).toBe(0);
    expect(await stage.pods(name)).toHaveLength(2);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  });

  it('that was scaled down gets a node for a recreated pod', async () => {
    const name = `smaller-${gang}`;
    const job = await running(name, gang);
    await scaleTo(job, name, 1);
    const before = await stage.pods(name);
    await stage.endPod(`${name}-worker-0`, { exitCode: 137 });
    await untilRestarted(job, 1);
    expect(renewed(before, await stage.pods(name))).toEqual([`${name}-worker-0`]);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  });
});

describe('a gang of more pods than its job has', () => {
  const withMinAvailable = (name: string, gang: string, minAvailable: number) => {
    const manifest = aGang(name, gang, wide);
    return { ...manifest, spec: { ...manifest.spec, runPolicy: { schedulingPolicy: { minAvailable } } } };
  };

  it.each([
    ['volcano', VOLCANO_POD_GROUPS],
    ['coscheduling', COSCHEDULING_POD_GROUPS],
  ] as const)(
    'runs on %s when its manifest asks for fewer, with the pods that wait',
    async (gang, groups) => {
      const name = `asks-${gang}`;
      const job = await stage.client.submit(withMinAvailable(name, gang, 10));
      await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'WaitingForGang');
      const waiting = await eventually('all pods wait', async () => {
        const pods = await stage.pods(name);
        return pods.length === 4 ? pods : undefined;
      });
      await stage.client.apply(withMinAvailable(name, gang, 4));
      const { attempt } = await untilPhase(job, 'Running');
      expect([attempt, renewed(waiting, await stage.pods(name))]).toEqual([1, []]);
      expect(await groupOf(groups, name)).toMatchObject({ minMember: 4 });
      await expect(stage.client.apply(withMinAvailable(name, gang, 5))).rejects.toThrow(
        'spec.runPolicy.schedulingPolicy.minAvailable: expected an integer <= 4',
      );
      await job.stop({});
    },
  );

  it('of Kubernetes itself keeps its size while it has pods, which is said', async () => {
    const job = await stage.client.submit(withMinAvailable('asks-native', 'native', 10));
    await untilStatus(job, 'it waits', ({ cause }) => cause?.reason === 'WaitingForGang');
    await expect(stage.client.apply(withMinAvailable('asks-native', 'native', 4))).rejects.toThrow(
      /minAvailable: expected 10, which a job that Kubernetes itself places keeps .* runPolicy.suspend, got 4/,
    );
    await job.stop({});
  });
});
