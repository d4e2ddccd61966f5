import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import type { ArchiverBeat } from '../../contracts/archiver.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';

/** What the archiver's activities use. */
export interface ArchiverDependencies {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Id of this cluster; undefined if the account may not read it. */
  readonly clusterId: () => Promise<string | undefined>;
  readonly evidenceStore: EvidenceStore;
  readonly store: ArchiveStore;
  /** Returns who signs the log; throws until the store was seen to work. */
  readonly ready: () => Promise<LogSigner>;
  /** Derives the ledgers of jobs from their histories, one after the other. */
  readonly ledgersOf: (jobs: AsyncIterable<ReplayedHistories>) => AsyncIterable<DerivedLedger>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called after each round, for the metrics. */
  readonly observe: (beat: ArchiverBeat) => void;
  /** Aborts when the worker stops, so that it need not wait: another one goes on. */
  readonly stopping: AbortSignal;
  /** The version of signalbox. */
  readonly version: string;
}

export interface ReplayedHistories {
  readonly workflowId: string;
  readonly runs: readonly RunHistory[];
}

export interface DerivedLedger {
  readonly entries: readonly LedgerEntry[];
  readonly error?: Error;
}
