import type { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';

/** Finds the metadata of an object with a list of one: the watcher may list pods and nodes, but not get them. */
export async function findByName(
  cluster: Pick<ClusterClient, 'list'>,
  resource: Resource,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): Promise<KubeObject | undefined> {
  const options = { namespace, fieldSelector: `metadata.name=${name}`, metadataOnly: true };
  const { items } = await cluster.list(resource, options);
  return items?.[0];
}
