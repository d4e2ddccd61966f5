import type { ClusterClient } from '../../cluster/client.ts';
import { bridgeManifests, clusterManifests, mpiManifests } from '../deploy/manifests.ts';
import { createToken } from '../service-account.ts';

/** The engine's own accounts, with the rights of deploy/kubernetes: the API server knows its requests from others'. */

export const ENGINE_NAMESPACE = 'signalbox-system';
export const ENGINE_ACCOUNTS = `system:serviceaccount:${ENGINE_NAMESPACE}:`;

/** What runs the engine in a cluster; here it runs beside it. */
const WORKLOADS = ['Deployment', 'PodDisruptionBudget', 'PersistentVolumeClaim'];

export async function makeAccounts(cluster: ClusterClient): Promise<void> {
  for (const object of [...clusterManifests(), ...mpiManifests(), ...bridgeManifests()]) {
    if (WORKLOADS.includes(object.kind)) continue;
    const resource = await cluster.resourceOf(object);
    await cluster.create(resource!, object);
  }
}

/** Valid for longer than any run of a test. */
const TOKEN_SECONDS = 6 * 3600;

export function tokenOf(cluster: ClusterClient, part: 'worker' | 'watcher' | 'bridge'): Promise<string> {
  return createToken(cluster, { name: `signalbox-${part}`, namespace: ENGINE_NAMESPACE }, TOKEN_SECONDS);
}
