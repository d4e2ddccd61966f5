import type { ClusterClient } from '../cluster/client.ts';
import { ApiError, isAlreadyExists } from '../cluster/errors.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { RefusedError } from './errors.ts';
import { objectName } from './offline/dry-run.ts';

/**
 * Creates an object that a job needs, e.g. a PersistentVolumeClaim, unless one of that name exists; an existing object
 * stays unchanged. Throws `RefusedError` if the cluster rejects the object.
 *
 * @param namespace of an object that names none
 */
export async function createIfAbsent(
  cluster: ClusterClient,
  given: KubeObject,
  namespace: string,
): Promise<'created' | 'exists'> {
  const resource = await cluster.resourceOf(given);
  if (!resource) {
    throw new RefusedError(
      `${objectName(given)}: the cluster does not serve ${given.apiVersion} ${given.kind}.`,
    );
  }
  const metadata = resource.namespaced ? { namespace, ...given.metadata } : given.metadata;
  const object = { ...given, metadata };
  try {
    await cluster.create(resource, object);
    return 'created';
  } catch (error) {
    if (isAlreadyExists(error)) return 'exists';
    if (!(error instanceof ApiError)) throw error;
    throw new RefusedError(`${objectName(object)}: the cluster refused it: ${error.detail}`, {
      cause: error,
    });
  }
}
