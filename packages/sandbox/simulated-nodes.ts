import { type ClusterClient, isAlreadyExists, type KubeObject, NODES } from './engine.ts';
import { isNodeSchedulable } from './node-readiness.ts';
import type { SimulatedNodes } from './state.ts';

const SELECTOR = 'signalbox.dev/node=simulated';

/** Enough for a benchmark of 1,000 pods on a few nodes; a kubelet's default is 110. */
const PODS_PER_NODE = '500';
const MEMORY_PER_NODE = '512Gi';
const STORAGE_PER_NODE = '1Ti';

export async function listSimulatedNodes(
  cluster: ClusterClient,
): Promise<{ name: string; ready: boolean }[]> {
  const { items } = await cluster.list(NODES, { labelSelector: SELECTOR });
  return items.map((node) => ({ name: node.metadata.name, ready: isNodeSchedulable(node) }));
}

/** Creates missing nodes of `sim-0` to `sim-<count - 1>` and deletes others. Returns the names of the created ones. */
export async function reconcileSimulatedNodes(
  cluster: ClusterClient,
  { count, gpusPerNode, cpusPerNode }: SimulatedNodes,
): Promise<string[]> {
  const wanted = Array.from({ length: count }, (_, index) => `sim-${index}`);
  const existing = (await listSimulatedNodes(cluster)).map(({ name }) => name);
  const missing = wanted.filter((name) => !existing.includes(name));
  const surplus = existing.filter((name) => !wanted.includes(name));
  const capacity = {
    cpu: String(cpusPerNode),
    memory: MEMORY_PER_NODE,
    'ephemeral-storage': STORAGE_PER_NODE,
    pods: PODS_PER_NODE,
    'nvidia.com/gpu': String(gpusPerNode),
  };
  await Promise.all([
    ...missing.map((name) => create(cluster, name, capacity)),
    ...surplus.map((name) => cluster.delete(NODES, undefined, name)), // its pods are garbage-collected
  ]);
  return missing;
}

async function create(cluster: ClusterClient, name: string, capacity: Record<string, string>): Promise<void> {
  try {
    await cluster.create(NODES, simulatedNode(name, capacity));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/**
 * PreferNoSchedule: pods prefer a local node while they fit there. They need no toleration to run here otherwise (it
 * has no GPUs, for example), or if their node selector says so.
 */
function simulatedNode(name: string, capacity: Record<string, string>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        type: 'simulated',
        'signalbox.dev/node': 'simulated',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
      },
    },
    spec: { taints: [{ key: 'signalbox.dev/simulated', value: 'true', effect: 'PreferNoSchedule' }] },
    status: { capacity, allocatable: capacity },
  };
}
