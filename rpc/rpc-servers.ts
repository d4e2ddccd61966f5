import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import type { WorkerSettings } from '../contracts/settings.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import type { ArchiveStore } from '../record/archive/archive-store.ts';

/** What a worker is connected to. */
export interface RpcServers {
  readonly settings: WorkerSettings;
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly evidenceStore: EvidenceStore;
  /** Absent if nothing is archived. */
  readonly archiveStore: ArchiveStore | undefined;
}
