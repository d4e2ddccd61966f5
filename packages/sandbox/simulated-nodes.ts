import { type KubernetesApi, KubernetesApiError } from './kubernetes-api.ts';
import { isUsable, type NodeStatus } from './node-readiness.ts';
import type { SimulatedNodes } from './state.ts';

const SELECTOR = encodeURIComponent('signalbox.dev/node=simulated');

/** Enough for a bench of 1,000 pods on a few nodes; a kubelet's own default is 110. */
const PODS_PER_NODE = '500';
const MEMORY_PER_NODE = '512Gi';
const STORAGE_PER_NODE = '1Ti';

export async function listSimulatedNodes(api: KubernetesApi): Promise<{ name: string; ready: boolean }[]> {
  const { items } = await api.call<{ items: NodeStatus[] }>('GET', `/api/v1/nodes?labelSelector=${SELECTOR}`);
  return items.map((node) => ({ name: node.metadata.name, ready: isUsable(node) }));
}

/** Creates what is missing of `sim-0` to `sim-<count - 1>` and removes what is beyond. Gives the names of the nodes it made. */
export async function reconcileSimulatedNodes(
  api: KubernetesApi,
  { count, gpusPerNode, cpusPerNode }: SimulatedNodes,
): Promise<string[]> {
  const wanted = Array.from({ length: count }, (_, index) => `sim-${index}`);
  const existing = (await listSimulatedNodes(api)).map(({ name }) => name);
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
    ...missing.map((name) => create(api, name, capacity)),
    ...surplus.map((name) => api.call('DELETE', `/api/v1/nodes/${name}`)), // its pods are collected as garbage
  ]);
  return missing;
}

async function create(api: KubernetesApi, name: string, capacity: Record<string, string>): Promise<void> {
  try {
    await api.call('POST', '/api/v1/nodes', simulatedNode(name, capacity));
  } catch (error) {
    if (!(error instanceof KubernetesApiError && error.status === 409)) throw error;
  }
}

/**
 * PreferNoSchedule: with a local node beside them, pods go there while it has room for them, and need no toleration
 * to come here when it has not (it has no GPUs, for example), or when their node selector says so.
 */
function simulatedNode(name: string, capacity: Record<string, string>) {
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
