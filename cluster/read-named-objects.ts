import type { KubeObject } from '../contracts/kubernetes.ts';
import { asReference, type UnreadReference } from '../contracts/references.ts';
import type { ClusterClient } from './client.ts';

/**
 * Reads the objects that a manifest names, as they are now. One that the cluster does not have is the one of that name that
 * comes with signalbox, if there is one. `namespace`: of the job.
 */
export async function readNamedObjects(
  cluster: Pick<ClusterClient, 'find' | 'serves'>,
  missing: readonly UnreadReference[],
  namespace: string,
): Promise<readonly KubeObject[]> {
  const found = missing.map(async ({ resource, name, shipped, ...named }) => {
    const isServed = await cluster.serves(resource);
    const place = resource.namespaced ? (named.namespace ?? namespace) : undefined;
    const object = isServed ? await cluster.find(resource, place, name) : undefined;
    return object
      ? asReference({ ...object, ...{ apiVersion: resource.apiVersion, kind: resource.kind } })
      : shipped;
  });
  return (await Promise.all(found)).filter((object) => object !== undefined);
}
