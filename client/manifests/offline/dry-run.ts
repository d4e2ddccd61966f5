import pMap from 'p-map';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError, isAlreadyExists } from '../../../cluster/errors.ts';
import type { KubeObject } from '../../../contracts/kubernetes.ts';

export interface DryRunResult {
  /** E.g. `Pod ml/resnet-worker-0`. */
  readonly object: string;
  /** `exists`: valid, but an object of that name exists. */
  readonly outcome: 'accepted' | 'exists' | 'refused';
  /** The API server's message. */
  readonly message?: string;
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
        ? await tryOut(() => cluster.create(resource, object, { dryRun: true }), objectName(object))
        : {
            object: objectName(object),
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

async function tryOut(create: () => Promise<unknown>, object: string): Promise<DryRunResult> {
  try {
    await create();
    return { object, outcome: 'accepted' };
  } catch (error) {
    if (isAlreadyExists(error)) return { object, outcome: 'exists' };
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { object, outcome: 'refused', message: error.detail };
  }
}

const keyOfKind = ({ apiVersion, kind }: KubeObject) => `${apiVersion} ${kind}`;

export const objectName = ({ kind, metadata }: KubeObject) =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;
