import { ApiError, isAlreadyExists } from '../../../cluster/errors.ts';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { RefusedError } from '../../errors/errors.ts';
import { objectName } from '../../manifests/offline/dry-run.ts';
import type { ClientPorts } from '../../servers/ports.ts';

/**
 * Creates an object that a job needs, e.g. a PersistentVolumeClaim, unless one of that name exists; an existing object
 * stays unchanged. Throws `RefusedError` if the cluster rejects the object.
 */
export async function createIfAbsent(
  ports: Pick<ClientPorts, 'cluster' | 'namespace'>,
  given: KubeObject,
  { namespace = ports.namespace }: { readonly namespace?: string },
): Promise<'created' | 'exists'> {
  const cluster = await ports.cluster();
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
