import { setTimeout as delay } from 'node:timers/promises';
import { NAMESPACES } from '../contracts/kubernetes.ts';
import type { ClusterClient } from './client.ts';
import { isForbidden } from './errors.ts';

/**
 * An API server that has just started has loaded only some roles, and may refuse what it allows a moment later. Without
 * a retry, a process would not know its cluster until it restarts.
 */
const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Returns the id of a Kubernetes cluster: the uid of its namespace kube-system, as is usual. Undefined if the account
 * may not read the namespace, even after retries.
 */
export async function findClusterId(cluster: Pick<ClusterClient, 'get'>): Promise<string | undefined> {
  for (let tried = 1; ; tried++) {
    try {
      return (await cluster.get(NAMESPACES, undefined, 'kube-system')).metadata.uid;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (tried >= TRIES) return undefined;
      await delay(PAUSE_MS);
    }
  }
}
