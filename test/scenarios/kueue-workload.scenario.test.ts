import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { unlessNotFound } from '../../cluster/errors.ts';
import {
  type Condition,
  KUEUE_FLAVORS,
  KUEUE_WORKLOADS,
  type KubeObject,
  NODES,
  type Resource,
} from '../../contracts/kubernetes.ts';
import { conditionsOf } from '../../gang/conditions.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/**
 * A job in a queue of Kueue, whose part this file has: what Kueue 0.19.2 wrote in test/long/kueue-submitted.long.ts, which runs
 * Kueue itself.
 */

const DEFINITIONS: Resource = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  ...{ plural: 'customresourcedefinitions', namespaced: false },
};
const WORKLOADS = KUEUE_WORKLOADS[0]!;

let stage: Stage;
/** Of one of the nodes. */
let nodeLabels: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  for (const resource of [WORKLOADS, KUEUE_FLAVORS])
    await stage.cluster.create(DEFINITIONS, definitionOf(resource));
  await eventually('Workloads are served', () => stage.cluster.serves(WORKLOADS));
  await eventually('flavors are served', () => stage.cluster.serves(KUEUE_FLAVORS));
  const selection = { labelSelector: 'signalbox.dev/node=simulated' };
  const [node] = (await stage.cluster.list(NODES, selection)).items;
  nodeLabels = { 'kubernetes.io/hostname': node!.metadata.name };
  await stage.cluster.create(KUEUE_FLAVORS, {
    ...{ apiVersion: KUEUE_FLAVORS.apiVersion, kind: KUEUE_FLAVORS.kind, metadata: { name: 'reserved' } },
    spec: { nodeLabels, tolerations: [{ key: 'reserved', operator: 'Exists' }] },
  });
  await Promise.all([stage.engine('watcher'), stage.engine('worker')]);
});

afterAll(async () => {
  for (const resource of [WORKLOADS, KUEUE_FLAVORS])
    await stage.cluster.delete(DEFINITIONS, undefined, nameOfDefinition(resource)).catch(unlessNotFound);
  await stage.close();
});

const nameOfDefinition = ({ plural }: Resource) => `${plural}.kueue.x-k8s.io`;

/** Without what Kueue checks of its objects. */
function definitionOf(resource: Resource): KubeObject {
  const { kind, plural, namespaced, apiVersion } = resource;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const [group, name] = apiVersion.split('/');
  return {
    ...{ apiVersion: DEFINITIONS.apiVersion, kind: DEFINITIONS.kind },
    metadata: { name: nameOfDefinition(resource) },
    spec: {
      ...{ group, scope: namespaced ? 'Namespaced' : 'Cluster' },
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

const workload = () => stage.cluster.get(WORKLOADS, stage.namespace, 'queued');

const conditionOf = async (type: string): Promise<Condition | undefined> =>
  conditionsOf(await workload()).find((one) => one.type === type);

/** Kueue adds to the conditions that are there, or changes them. */
async function kueueSays(
  conditions: Readonly<Record<string, Partial<Condition>>>,
  status: object = {},
): Promise<void> {
  const before = conditionsOf(await workload()).filter(({ type }) => !(type in conditions));
  const lastTransitionTime = new Date().toISOString();
  const said = Object.entries(conditions).map(([type, condition]) => ({
    type,
    lastTransitionTime,
    ...condition,
  }));
  const patch = { status: { ...status, conditions: [...before, ...said] } };
  await stage.cluster.patch(
    WORKLOADS,
    { namespace: stage.namespace, name: 'queued', subresource: 'status' },
    patch,
  );
}

const NO_ROOM =
  "couldn't assign flavors to pod set worker: insufficient unused quota for cpu in flavor reserved, 2 more needed";

const admits = () =>
  kueueSays(
    {
      QuotaReserved: {
        status: 'True',
        reason: 'QuotaReserved',
        message: 'Quota reserved in ClusterQueue cluster',
      },
      Admitted: { status: 'True', reason: 'Admitted', message: 'The workload is admitted' },
      Evicted: { status: 'False', reason: 'QuotaReserved', message: 'Previously: Preempted' },
    },
    {
      admission: {
        clusterQueue: 'cluster',
        podSetAssignments: ['master', 'worker'].map((name) => ({ name, flavors: { cpu: 'reserved' } })),
      },
    },
  );

const untilWaiting = (job: JobHandle, attempt: number, words: RegExp) =>
  eventually(`attempt ${attempt} waits: ${words}`, async () => {
    const status = await job.status();
    const isSaid = words.test(status.cause?.message ?? '');
    return status.state === 'Pending.Queued' && status.attempt === attempt && isSaid && status;
  });

async function expectPodsOfFlavor(): Promise<void> {
  for (const { metadata, spec } of await stage.pods('queued')) {
    expect(spec.nodeSelector).toMatchObject(nodeLabels);
    expect(spec.tolerations).toContainEqual({ key: 'reserved', operator: 'Exists' });
    expect(metadata.labels).toMatchObject({
      'kueue.x-k8s.io/podset': metadata.labels!['signalbox.dev/role'],
      'kueue.x-k8s.io/cluster-queue-name': 'cluster',
    });
  }
}

it('waits for quota, runs where its flavor says, is preempted, and waits again', async () => {
  const manifest = simulatedJob({ name: 'queued', namespace: stage.namespace, worker: { replicas: 1 } });
  const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
  const job = await stage.client.submit({ ...manifest, metadata: { ...manifest.metadata, labels } });
  await untilWaiting(job, 1, /Kueue: it has said nothing of the job yet/);
  expect((await workload()).spec).toMatchObject({ queueName: 'team', podSets: [{ count: 1 }, { count: 1 }] });
  await kueueSays({ QuotaReserved: { status: 'False', reason: 'Pending', message: NO_ROOM } });
  await untilWaiting(job, 1, /insufficient unused quota/);
  expect(await stage.pods('queued')).toEqual([]);
  await admits();
  await untilPhase(job, 'Running');
  await expectPodsOfFlavor();
  await eventually(
    'Kueue hears that it runs',
    async () => (await conditionOf('PodsReady'))?.status === 'True',
  );

  const by =
    'Preempted to accommodate a workload (UID: 1, JobUID: 2) due to prioritization in the ClusterQueue';
  await kueueSays({
    Evicted: { status: 'True', reason: 'Preempted', message: by },
    Preempted: { status: 'True', reason: 'InClusterQueue', message: by },
  });
  await eventually('its quota is free', async () => (await conditionOf('QuotaReserved'))?.status === 'False');
  expect(await stage.pods('queued')).toEqual([]);
  expect(await conditionOf('Requeued')).toMatchObject({ status: 'True', reason: 'Preempted', message: by });
  expect(await untilWaiting(job, 2, /Preempted to accommodate/)).toMatchObject({ restarts: 0 });
  expect(JSON.stringify(await job.history())).toMatch(/"Preempted"/);
  await admits();
  await untilPhase(job, 'Running');
  await expectPodsOfFlavor();
  await job.stop({ why: 'enough' });
  await untilPhase(job, 'Stopped');
  await eventually('its Workload is gone', async () => {
    return (await stage.cluster.find(WORKLOADS, stage.namespace, 'queued')) === undefined;
  });
  expect(await stage.pods('queued')).toEqual([]);
});
