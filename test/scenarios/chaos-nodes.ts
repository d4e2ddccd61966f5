import type { ClusterClient } from '../../cluster/client.ts';
import { NODES, type Node } from '../../contracts/kubernetes.ts';
import type { NodePool } from './node-pool.ts';

/** Nodes of a pool that can be lost, with all that runs on them, and come back. */
export interface CrashableNodes {
  readonly healthy: readonly string[];
  readonly lost: readonly string[];
  /** It is there and not ready: nobody plays its pods, or ends those that are deleted. */
  lose(node: string): Promise<void>;
  /** It is not there any more; its pods are, until Kubernetes collects them. */
  remove(node: string): Promise<void>;
  /** What it had to do meanwhile is done now. */
  bringBack(node: string): Promise<void>;
  bringAllBack(): Promise<void>;
}

export async function openCrashableNodes(cluster: ClusterClient, pool: NodePool): Promise<CrashableNodes> {
  const [[label, value] = []] = Object.entries(pool.nodeSelector);
  const { items } = await cluster.list(NODES, { labelSelector: `${label}=${value}` });
  const born = new Map(items.map((node) => [node.metadata.name, node]));
  const lost = new Set<string>();
  const remove = async (name: string) => {
    lost.add(name);
    await cluster.delete(NODES, undefined, name);
  };
  // Whoever simulates nodes looks at what is on one only when it is new to them.
  const bringBack = async (name: string) => {
    if (await cluster.find(NODES, undefined, name)) await cluster.delete(NODES, undefined, name);
    await cluster.create(NODES, asNew(born.get(name)!));
    lost.delete(name);
  };
  return {
    get healthy() {
      return [...born.keys()].filter((name) => !lost.has(name));
    },
    get lost() {
      return [...lost];
    },
    remove,
    // They go on with a node that is not theirs any more, but not with another one of its name.
    lose: async (name) => {
      await remove(name);
      await cluster.create(NODES, asDead(born.get(name)!));
    },
    bringBack,
    bringAllBack: async () => {
      await Promise.all([...lost].map(bringBack));
    },
  };
}

const NOT_READY = 'node.kubernetes.io/not-ready';

function asNew({ apiVersion, kind, metadata, spec, status }: Node): Node {
  const { name, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, labels, annotations },
    spec: { taints: spec?.taints?.filter(({ key }) => key !== NOT_READY) },
    status: { capacity: status?.capacity, allocatable: status?.allocatable },
  };
}

function asDead(node: Node): Node {
  const { metadata, spec, status, ...rest } = asNew(node);
  const now = new Date().toISOString();
  const ready = { type: 'Ready', status: 'False', reason: 'Lost', message: 'its kubelet is silent' } as const;
  const conditions = [{ ...ready, lastTransitionTime: now, lastHeartbeatTime: now }];
  const taints = [...(spec?.taints ?? []), { key: NOT_READY, effect: 'NoSchedule' }];
  const { annotations: _, ...nobodys } = metadata;
  return { ...rest, metadata: nobodys, spec: { taints }, status: { ...status, conditions } };
}
