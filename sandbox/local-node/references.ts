import type { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS, type KubeObject, SECRETS } from '../../contracts/kubernetes.ts';
import type { FindValues } from './environment.ts';

type Stored = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Reads ConfigMaps and Secrets when a container starts, so that it gets what they hold at that moment. */
export function createFindValues(client: ClusterClient, namespace: string): FindValues {
  return async (kind, name) => {
    const resource = kind === 'secret' ? SECRETS : CONFIG_MAPS;
    const stored = (await client.find<KubeObject>(resource, namespace, name)) as Stored | undefined;
    if (!stored) return undefined;
    const { data = {} } = stored;
    return kind === 'secret' ? decoded(data) : data;
  };
}

function decoded(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}
