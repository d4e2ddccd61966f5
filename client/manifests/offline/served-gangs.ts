import type { ClusterClient } from '../../../cluster/client.ts';
import type { Resource } from '../../../contracts/kubernetes.ts';
import { type GangProvider, gangTraits } from '../../../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../../../gang/registry.ts';

/** Returns a function that says whether a cluster serves what a gang scheduler needs. */
export const servesGang =
  (cluster: ClusterClient) =>
  async (gang: GangProvider): Promise<boolean> => {
    const { resource } = GANG_ADAPTERS[gang];
    return resource === undefined || cluster.serves(resource);
  };

/** Returns the gang schedulers whose group API a cluster serves. */
export async function servedGangs(cluster: ClusterClient): Promise<GangProvider[]> {
  const adapters = Object.values(GANG_ADAPTERS).filter(
    ({ provider }) => gangTraits(provider).groups === provider,
  );
  const served = await Promise.all(
    adapters.map(({ resource }) => resource !== undefined && cluster.serves(resource)),
  );
  return adapters.filter((_adapter, index) => served[index]).map(({ provider }) => provider);
}

/** Returns the kinds of groups that a cluster serves. */
export const servedGroups = async (cluster: ClusterClient): Promise<Resource[]> =>
  (await servedGangs(cluster)).flatMap((gang) => GANG_ADAPTERS[gang].resource ?? []);
