import type { ClusterClient } from '../cluster/client.ts';
import { readLanes } from '../cluster/read-lanes.ts';
import type { LanesReference } from '../contracts/lane-request.ts';
import type { LanesConfig } from '../contracts/lanes.ts';

/** Jobs that are submitted together read the lanes once. */
const FRESH_MS = 2_000;

/** Reads the lanes when they are asked for, unless that was a moment ago. An error is not remembered. */
export function lanesReader(cluster: ClusterClient, reference: LanesReference): () => Promise<LanesConfig> {
  let known: Promise<LanesConfig> | undefined;
  let readAt = 0;
  return () => {
    if (known && performance.now() < readAt + FRESH_MS) return known;
    readAt = performance.now();
    const reading = readLanes(cluster, reference);
    known = reading;
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  };
}
