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
import type { Stage } from './stage.ts';

/**
 * The part of Kueue in a cluster without it: its objects, and what Kueue 0.19.2 wrote in test/long/kueue-submitted.long.ts, which
 * runs Kueue itself.
 */
export interface RecordedKueue {
  /** Of the only flavor: those of one node. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Removes its definitions, and so all its objects. */
  close(): Promise<void>;
}

const DEFINITIONS: Resource = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  ...{ plural: 'customresourcedefinitions', namespaced: false },
};
const WORKLOADS = KUEUE_WORKLOADS[0]!;

const NO_ROOM =
  "couldn't assign flavors to pod set worker: insufficient unused quota for cpu in flavor reserved, 2 more needed";

export const PREEMPTED =
  'Preempted to accommodate a workload (UID: 1, JobUID: 2) due to prioritization in the ClusterQueue';

/** An engine that starts later finds it. */
export async function openRecordedKueue({ cluster }: Pick<Stage, 'cluster'>): Promise<RecordedKueue> {
  for (const resource of [WORKLOADS, KUEUE_FLAVORS])
    await cluster.create(DEFINITIONS, definitionOf(resource));
  await eventually('Workloads are served', () => cluster.serves(WORKLOADS));
  await eventually('flavors are served', () => cluster.serves(KUEUE_FLAVORS));
  const selection = { labelSelector: 'signalbox.dev/node=simulated' };
  const [node] = (await cluster.list(NODES, selection)).items;
  const nodeLabels = { 'kubernetes.io/hostname': node!.metadata.name };
  await cluster.create(KUEUE_FLAVORS, {
    ...{ apiVersion: KUEUE_FLAVORS.apiVersion, kind: KUEUE_FLAVORS.kind, metadata: { name: 'reserved' } },
    spec: { nodeLabels, tolerations: [{ key: 'reserved', operator: 'Exists' }] },
  });
  return {
    nodeLabels,
    close: async () => {
      for (const resource of [WORKLOADS, KUEUE_FLAVORS])
        await cluster.delete(DEFINITIONS, undefined, nameOfDefinition(resource)).catch(unlessNotFound);
    },
  };
}

/** What Kueue has of a job, and says of it. */
export function kueueOf({ cluster, namespace }: Pick<Stage, 'cluster' | 'namespace'>, job: string) {
  const workload = () => cluster.get(WORKLOADS, namespace, job);

  /** Adds to the conditions that are there, or changes them. */
  async function say(
    conditions: Readonly<Record<string, Partial<Condition>>>,
    status: object = {},
  ): Promise<void> {
    const before = conditionsOf(await workload()).filter(({ type }) => !(type in conditions));
    const lastTransitionTime = new Date().toISOString();
    const said = Object.entries(conditions).map(([type, condition]) => ({
      ...{ type, lastTransitionTime },
      ...condition,
    }));
    const patch = { status: { ...status, conditions: [...before, ...said] } };
    await cluster.patch(WORKLOADS, { namespace, name: job, subresource: 'status' }, patch);
  }

  return {
    workload,
    condition: async (wanted: string) => conditionsOf(await workload()).find(({ type }) => type === wanted),
    refuses: () => say({ QuotaReserved: { status: 'False', reason: 'Pending', message: NO_ROOM } }),
    admits: async () => say(ADMITTED, { admission: admissionOf(await workload()) }),
    /** Its quota is for another job. */
    preempts: () =>
      say({
        Evicted: { status: 'True', reason: 'Preempted', message: PREEMPTED },
        Preempted: { status: 'True', reason: 'InClusterQueue', message: PREEMPTED },
      }),
  };
}

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

const ADMITTED = {
  QuotaReserved: {
    status: 'True',
    reason: 'QuotaReserved',
    message: 'Quota reserved in ClusterQueue cluster',
  },
  Admitted: { status: 'True', reason: 'Admitted', message: 'The workload is admitted' },
  Evicted: { status: 'False', reason: 'QuotaReserved', message: 'Previously: Preempted' },
} as const;

const admissionOf = ({ spec }: KubeObject) => ({
  clusterQueue: 'cluster',
  podSetAssignments: (spec as { podSets: readonly { name: string; count: number }[] }).podSets.map(
    ({ name, count }) => ({ name, count, flavors: { cpu: 'reserved' } }),
  ),
});
