import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { ClientSettings } from './client-settings.ts';

/** The servers that use cases ask, and what is recorded with what they ask. */
export interface ClientPorts extends Pick<ClientSettings, 'validate' | 'lanes'> {
  readonly temporal: Client;
  readonly temporalAddress: string;
  /** Connected with the first request. */
  readonly cluster: () => Promise<ClusterClient>;
  readonly evidence: () => Promise<EvidenceStore>;
  /** Who submits, and who asks if a request does not say. */
  readonly user: string;
  /** Task queue of the workers. */
  readonly taskQueue: string;
  /** Of jobs whose manifest or name has none. */
  readonly namespace: string;
}

export type TemporalPort = Pick<ClientPorts, 'temporal' | 'temporalAddress'>;
