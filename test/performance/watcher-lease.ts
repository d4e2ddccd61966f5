import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, LEASES, type Resource } from '../../contracts/kubernetes.ts';

/** Times are those of `Date.now()`; everything runs on one machine. */
export interface WatcherLease {
  readonly durationMs: number;
  readonly acquiredAt: number;
  readonly renewedAt: number;
}

interface LeaseObject extends KubeObject {
  readonly spec: {
    readonly leaseDurationSeconds: number;
    readonly acquireTime: string;
    readonly renewTime: string;
  };
}

/** The lease of the watchers, where they have it by default. */
export async function readWatcherLease(cluster: ClusterClient): Promise<WatcherLease> {
  const { spec } = await cluster.get(LEASES as Resource<LeaseObject>, 'default', 'signalbox-watcher');
  return {
    durationMs: spec.leaseDurationSeconds * 1000,
    acquiredAt: Date.parse(spec.acquireTime),
    renewedAt: Date.parse(spec.renewTime),
  };
}
