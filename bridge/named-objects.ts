import type { ClusterClient } from '../cluster/client.ts';
import { ApiError } from '../cluster/errors.ts';
import { readNamedObjects } from '../cluster/read-named-objects.ts';
import { findReference, type NamedObject } from '../contracts/references.ts';
import { unreadReferences } from '../frameworks/manifest/references.ts';

/** Returns an object that a manifest names, and that is neither in the cluster nor comes with signalbox. */
export async function findMissing(
  cluster: Pick<ClusterClient, 'find' | 'serves'>,
  manifest: { readonly metadata: { readonly namespace: string } },
): Promise<NamedObject | undefined> {
  const named = unreadReferences(manifest);
  try {
    const found = await readNamedObjects(cluster, named, manifest.metadata.namespace);
    return named.find((one) => findReference(found, one) === undefined);
  } catch (error) {
    // The worker may have the right, and says so if it has not.
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}

export const missingText = ({ kind, name, namespace, path }: NamedObject): string =>
  `${path}: the job waits for ${kind} ${name}, which ${namespace === undefined ? 'the cluster' : `namespace ${namespace}`} does not have`;
