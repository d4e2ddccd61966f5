import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { JobSettings } from '../../contracts/settings.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { Semaphore } from './semaphore.ts';

/** What activities work with; one of each per worker. */
export interface Dependencies extends JobSettings {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  /** Id of the Temporal namespace: only jobs of this installation are touched. */
  readonly installation: string;
  /** Which cluster this is; undefined where nobody may know it. */
  readonly clusterId: () => Promise<string | undefined>;
  /** Of jobs whose manifest names none. */
  readonly namespace: string;
  /** Requests in flight at most, per activity. */
  readonly connections: number;
  /** What bulk requests pass through, over all activities. */
  readonly bulk: Semaphore;
  /** Of failed pods' records. */
  readonly evidenceStore: EvidenceStore;
}
