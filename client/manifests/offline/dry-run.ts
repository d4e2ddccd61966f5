import pMap from 'p-map';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError, isAlreadyExists } from '../../../cluster/errors.ts';
import { asTemporaryRefusal } from '../../../cluster/temporary-refusal.ts';
import type { KubeObject, Resource } from '../../../contracts/kubernetes.ts';

export interface DryRunResult {
  /** E.g. `Pod ml/resnet-worker-0`. */
  readonly object: string;
  /** What was tried. */
  readonly tried: KubeObject;
  /** `exists`: an object of that name exists, and nothing else is wrong. */
  readonly outcome: 'accepted' | 'exists' | 'refused';
  /** The API server's message. */
  readonly message?: string;
  /** The API server's warnings, e.g. `unknown field "spec.nodeSelectr"`. */
  readonly warnings: readonly string[];
}

const AT_ONCE = 16;

/**
 * Dry-runs the creation of objects, each independently, with the API server's validation, admission webhooks, quotas
 * and permissions. Creates nothing. Throws only if the server does not answer.
 *
 * @example
 * const { objects } = await renderJob(manifest);
 * const results = await dryRun(await ClusterClient.connect(), objects);
 * const refused = results.filter(({ outcome }) => outcome === 'refused');
 */
export async function dryRun(
  cluster: ClusterClient,
  objects: readonly KubeObject[],
  options: { readonly onResult?: (result: DryRunResult) => void } = {},
): Promise<DryRunResult[]> {
  const resources = await resourcesOf(cluster, objects);
  return pMap(
    objects,
    async (object) => {
      const resource = resources.get(keyOfKind(object));
      const result: DryRunResult = resource
        ? await tryOut(cluster, resource, object)
        : {
            ...toldOf(object),
            outcome: 'refused',
            message: `the cluster does not serve ${keyOfKind(object)}`,
          };
      options.onResult?.(result);
      return result;
    },
    { concurrency: AT_ONCE },
  );
}

/** Looks up each kind only once. */
async function resourcesOf(cluster: ClusterClient, objects: readonly KubeObject[]) {
  const kinds = new Map(objects.map((object) => [keyOfKind(object), object]));
  const found = [...kinds].map(async ([key, object]) => [key, await cluster.resourceOf(object)] as const);
  return new Map(await Promise.all(found));
}

async function tryOut(cluster: ClusterClient, resource: Resource, object: KubeObject): Promise<DryRunResult> {
  const told = toldOf(object);
  const warned = (warnings: readonly string[]) => told.warnings.push(...warnings);
  try {
    await cluster.create(resource, object, { dryRun: true, warned });
    return { ...told, outcome: 'accepted' };
  } catch (error) {
    if (isAlreadyExists(error)) return { ...told, outcome: 'exists' };
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (isOfQuota(error) && (await exists(cluster, resource, object))) return { ...told, outcome: 'exists' };
    return { ...told, outcome: 'refused', message: error.detail };
  }
}

const toldOf = (object: KubeObject) => ({
  object: objectName(object),
  tried: object,
  warnings: [] as string[],
});

/** Servers ask quotas before they look for the name: an object that exists is counted in the quota that refuses it. */
const isOfQuota = (error: ApiError) => asTemporaryRefusal(error)?.reason === 'QuotaExceeded';

const exists = async (cluster: ClusterClient, resource: Resource, { metadata }: KubeObject) => {
  const { namespace, name } = metadata;
  const found = await cluster.find(resource, namespace, name, { metadataOnly: true }).catch(unlessApiError);
  return found !== undefined;
};

/** For `catch`: a client that may not read an object does not know whether it exists. */
function unlessApiError(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

const keyOfKind = ({ apiVersion, kind }: KubeObject) => `${apiVersion} ${kind}`;

export const objectName = ({ kind, metadata }: KubeObject) =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;
