import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { LanesReference } from '../../contracts/lane-request.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import type { ServedNamespaces } from '../../contracts/served-namespaces.ts';
import type { JobSettings } from '../../contracts/settings.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { JobCache } from './job-cache.ts';
import type { Semaphore } from './semaphore.ts';

/** What activities use; one of each per worker. */
export interface Dependencies extends JobSettings {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  /** Id of the Temporal namespace: activities touch only jobs of this installation. */
  readonly installation: string;
  /** Returns the id of this cluster; undefined if the account may not read it. */
  readonly clusterId: () => Promise<string | undefined>;
  /** Namespace of jobs whose manifest names none. */
  readonly namespace: string;
  /** Those of jobs that this installation serves. */
  readonly namespaces?: ServedNamespaces;
  /** Maximum number of requests in flight per activity. */
  readonly connections: number;
  /** Limits bulk requests over all activities. */
  readonly bulk: Semaphore;
  /** Reads the lanes that jobs wait in; absent if the installation has none. */
  readonly lanes?: () => Promise<LanesConfig>;
  /** Where these are, and beside them the records of jobs in lanes. */
  readonly lanesReference?: LanesReference;
  readonly jobs: JobCache;
  /** Store of the records of failed pods. */
  readonly evidenceStore: EvidenceStore;
}
