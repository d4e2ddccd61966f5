import { setTimeout as delay } from 'node:timers/promises';
import { NAMESPACES } from '../contracts/kubernetes.ts';
import type { ClusterClient } from './client.ts';
import { isForbidden } from './errors.ts';

/**
 * An API server that has just started knows only some of its roles, and refuses what it grants a moment later. Whoever
 * took that for an answer would not know its cluster for as long as it lives.
 */
const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * What tells one Kubernetes cluster from another: the uid of its namespace kube-system, as is usual. Undefined for an
 * account that may not read it, and is told so again and again.
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
