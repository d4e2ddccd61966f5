import type { ClusterClient } from '../cluster/client.ts';
import { ApiError, isAlreadyExists } from '../cluster/errors.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { RefusedError } from './errors.ts';
import { objectName } from './offline/dry-run.ts';

/**
 * Creates what a job needs beside itself, e.g. a claim for its data, unless there is an object of that name: that is left
 * as it is. Throws `RefusedError` for what the cluster does not take.
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
    throw new RefusedError(`${objectName(object)}: the cluster refused it: ${error.said}`, { cause: error });
  }
}
