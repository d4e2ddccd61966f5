import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../engine.ts';
import { isConflict, isNotFound, isTransient, PODS, type Pod } from '../engine.ts';

const RETRY_MS = 1_000;

/** Confirms to the API server that nothing of a deleted pod runs, so that its object is removed. */
export async function removePod(client: ClusterClient, { metadata }: Pod): Promise<void> {
  const { namespace, name, uid } = metadata;
  for (;;) {
    try {
      await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, uid });
      return;
    } catch (error) {
      // Conflict: another pod has the name now.
      if (isNotFound(error) || isConflict(error)) return;
      if (!isTransient(error)) throw error;
      await delay(RETRY_MS);
    }
  }
}
