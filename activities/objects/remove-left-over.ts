import { unlessNotFound } from '../../cluster/errors.ts';
import { PODS, type Resource, SERVICES } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { anchorUidOf, ownerUidOf } from '../../contracts/objects.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { deleteEach } from '../deletion/delete-pods.ts';
import type { Dependencies } from '../support/dependencies.ts';

interface GoneAnchor {
  readonly namespace: string;
  readonly anchorUid: string;
}

/**
 * Deletes what an anchor has left that is gone, and that garbage collection does not find: `kubectl delete
 * --cascade=orphan` takes the reference to the anchor off its objects, and backups do not have it. Idempotent: it deletes
 * what exists.
 */
export async function removeLeftOver(
  dependencies: Dependencies,
  { namespace, anchorUid }: GoneAnchor,
): Promise<void> {
  const { cluster, installation } = dependencies;
  const labelSelector = `${LABELS.anchorUid}=${anchorUid},${LABELS.installation}=${installation}`;
  const remove = async (resource: Resource) => {
    const { items } = await cluster.list(resource, { namespace, labelSelector });
    const left = items.filter((object) => !ownerUidOf(object) && anchorUidOf(object) === anchorUid);
    await deleteEach(dependencies, resource, left);
  };
  await remove(PODS);
  await remove(SERVICES);
  for (const { resource } of Object.values(GANG_ADAPTERS))
    if (resource) await remove(resource).catch(unlessNotFound);
}
