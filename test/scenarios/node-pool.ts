import { randomUUID } from 'node:crypto';
import { isNodeSchedulable } from '@signalbox/sandbox';
import type { ClusterClient } from '../../cluster/client.ts';
import { isNotFound } from '../../cluster/errors.ts';
import { type KubeObject, NODES } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';

/** Simulated nodes of a test's own: nothing else is placed there that does not ask for it. */
export interface NodePool {
  /** For pods that are to be placed here. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Of its nodes, in the order in which they were made. */
  readonly names: readonly string[];
  /** What its nodes have so many of; one per pod makes them slots. */
  readonly resource: string;
  /** Resolves when the node can take pods. */
  addNode(slots: number): Promise<void>;
  /** Nothing more is placed on the node that was made as the n-th; gives its name. */
  cordon(index: number): Promise<string>;
  remove(): Promise<void>;
}

/**
 * A pool of nodes of these sizes. Without a resource they have one that no other nodes have: a scheduler that counts what
 * is free in the whole cluster then counts the pool.
 */
export async function openNodePool(
  cluster: ClusterClient,
  options: { readonly nodes: readonly number[]; readonly resource?: string },
): Promise<NodePool> {
  const name = `pool-${randomUUID().slice(0, 8)}`;
  const { nodes, resource = `test.signalbox.dev/${name}` } = options;
  const nodeSelector = { 'test.signalbox.dev/pool': name };
  const made: string[] = [];
  const addNode = async (slots: number) => {
    const node = `${name}-${made.length}`;
    made.push(node);
    await cluster.create(NODES, simulatedNode(node, nodeSelector, { [resource]: String(slots) }));
    await eventually(`node ${node} is ready`, async () => {
      const found: KubeObject = await cluster.get(NODES, undefined, node);
      return isNodeSchedulable(found);
    });
  };
  await Promise.all(nodes.map(addNode));
  return {
    names: made,
    nodeSelector,
    resource,
    addNode,
    cordon: async (index) => {
      const node = made[index]!;
      await cluster.patch(NODES, { name: node }, { spec: { unschedulable: true } });
      return node;
    },
    remove: async () => {
      await Promise.all(made.map((node) => cluster.delete(NODES, undefined, node).catch(unlessGone)));
    },
  };
}

/** A test may have let it leave. */
function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** Without the label of the sandbox's own simulated nodes, which removes those it did not ask for. */
function simulatedNode(
  name: string,
  labels: Readonly<Record<string, string>>,
  slots: Readonly<Record<string, string>>,
): KubeObject {
  const capacity = { cpu: '64', memory: '512Gi', 'ephemeral-storage': '1Ti', pods: '500', ...slots };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: { ...labels, type: 'simulated', 'kubernetes.io/hostname': name },
    },
    spec: { taints: [{ key: 'signalbox.dev/simulated', value: 'true', effect: 'PreferNoSchedule' }] },
    status: { capacity, allocatable: capacity },
  };
}
