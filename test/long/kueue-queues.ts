import { type Condition, type KubeObject, NODES } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import type { Kubectl } from '../scenarios/kubectl.ts';
import { type NodePool, openNodePool } from '../scenarios/node-pool.ts';
import type { Stage } from '../scenarios/stage.ts';

/** Queues of Kueue whose quota is that of two jobs, one in each flavor, and jobs for them. */

export const QUEUE = 'kueue.x-k8s.io/queue-name';
export const HOST = 'kubernetes.io/hostname';
export const LEAVES_SLOWLY = { 'signalbox.dev/simulate-stop-after': '3s' };
/** Of each flavor, and of a job of three pods. */
export const CPUS = 3;

export type Flavor = 'reserved' | 'spot';
export type Pools = Readonly<Record<Flavor, NodePool>>;

export async function openQueues({ cluster }: Stage, kubectl: Kubectl): Promise<Pools> {
  const pools = {
    reserved: await openNodePool(cluster, { nodes: [1] }),
    spot: await openNodePool(cluster, { nodes: [1] }),
  };
  const isSpot = ({ metadata: { labels } }: KubeObject) =>
    Object.entries(pools.spot.nodeSelector).every(([key, value]) => labels?.[key] === value);
  const { items: nodes } = await cluster.list(NODES, {});
  const taints = [{ key: 'spot', value: 'true', effect: 'NoSchedule' }];
  await cluster.patch(NODES, { name: nodes.find(isSpot)!.metadata.name }, { spec: { taints } });
  await kubectl.apply(queuesIn(pools));
  return pools;
}

function queuesIn(pools: Pools): object[] {
  const of = (kind: string, name: string, spec: object) => ({
    ...{ apiVersion: 'kueue.x-k8s.io/v1beta2', kind, metadata: { name }, spec },
  });
  const flavors = (['reserved', 'spot'] as const).map((name) => ({
    ...{ name, resources: [{ name: 'cpu', nominalQuota: CPUS }] },
  }));
  return [
    of('ResourceFlavor', 'reserved', { nodeLabels: pools.reserved.nodeSelector }),
    of('ResourceFlavor', 'spot', {
      nodeLabels: pools.spot.nodeSelector,
      tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
    }),
    of('ClusterQueue', 'cluster', {
      namespaceSelector: {},
      preemption: { withinClusterQueue: 'LowerPriority' },
      resourceGroups: [{ coveredResources: ['cpu'], flavors }],
    }),
    of('LocalQueue', 'team', { clusterQueue: 'cluster' }),
    of('Topology', 'by-host', { levels: [{ nodeLabel: HOST }] }),
    of('ResourceFlavor', 'placed', { nodeLabels: pools.reserved.nodeSelector, topologyName: 'by-host' }),
    of('ClusterQueue', 'placed', {
      namespaceSelector: {},
      resourceGroups: [{ coveredResources: ['cpu'], flavors: [{ ...flavors[0], name: 'placed' }] }],
    }),
    of('LocalQueue', 'placed', { clusterQueue: 'placed' }),
    {
      ...{ apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'WorkloadPriorityClass' },
      ...{ metadata: { name: 'urgent' }, value: 1_000 },
    },
  ];
}

export interface Queued {
  readonly queue?: string;
  readonly priority?: string;
  readonly cpus?: number;
  /** A Master among them; 3 by default. */
  readonly pods?: number;
  /** Of its pods. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Workers alone, up to four. */
  readonly elastic?: boolean;
}

export const metadataOf = (name: string, namespace: string, { queue = 'team', priority }: Queued) => ({
  ...{ name, namespace },
  labels: { [QUEUE]: queue, ...(priority ? { 'kueue.x-k8s.io/priority-class': priority } : {}) },
});

/** Its pods name the queue, too, as people like to write it. */
export const podOf = (container: string, { queue = 'team', cpus = 1, annotations }: Queued) => ({
  metadata: { annotations, labels: { [QUEUE]: queue } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      { name: container, image: 'train:1', command: ['train'], resources: { requests: { cpu: cpus } } },
    ],
  },
});

/** A PyTorchJob: a Master and Workers, in no place of their own choice. */
export function queuedIn(namespace: string, name: string, { pods = CPUS, ...options }: Queued = {}) {
  const role = (replicas: number) => ({ replicas, template: podOf('pytorch', options) });
  const roles = { Master: role(1), ...(pods > 1 ? { Worker: role(pods - 1) } : {}) };
  const elastic = {
    elasticPolicy: { minReplicas: 1, maxReplicas: 4 },
    pytorchReplicaSpecs: { Worker: role(pods) },
  };
  return {
    ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: metadataOf(name, namespace, options) },
    spec: options.elastic ? elastic : { pytorchReplicaSpecs: roles },
  };
}

export const said = (workload: KubeObject, type: string) =>
  conditionOf(workload as { readonly status?: { readonly conditions?: readonly Condition[] } }, type);

export const endAll = async (stage: Stage, name: string) => {
  for (const { metadata } of await stage.pods(name)) await stage.endPod(metadata.name, { exitCode: 0 });
};

export const untilItWaitsFor = (
  { client }: Stage,
  name: string,
  code: string,
  words: RegExp,
): Promise<WaitReason> =>
  eventually(`${name} waits with ${code}: ${words}`, async () => {
    const [why] = (await client.job({ name }).whyWaiting()).reasons;
    if (why?.code !== code || !words.test(why.said ?? '')) throw new Error(JSON.stringify(why));
    return why;
  });
