import { NODES, type Node, PODS, type Pod } from '../contracts/kubernetes.ts';
import { UNFINISHED } from '../contracts/pod.ts';
import type { ClusterClient } from './client.ts';
import { eachListed, listAll } from './list-all.ts';

type Listing = Pick<ClusterClient, 'list'>;

/** Returns all nodes, as far as they decide where pods find room. */
export async function listNodes(cluster: Listing): Promise<readonly Node[]> {
  const { objects } = await listAll(cluster, { resource: NODES, trim: trimmed });
  return objects;
}

/** Most of a node is its list of images. */
const trimmed = ({ metadata: { name, labels }, status, ...node }: Node): Node => ({
  ...node,
  metadata: { name, labels },
  status: { conditions: status?.conditions, allocatable: status?.allocatable },
});

/** Yields the pods of all namespaces that use something of a node, or will. */
export const eachUnendedPod = (cluster: Listing): AsyncIterable<Pod> =>
  eachListed(cluster, { resource: PODS, selection: { fieldSelector: UNFINISHED } });
