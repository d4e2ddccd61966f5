import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import type { ArchiverBeat } from '../../contracts/archiver.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { WatchedStore } from '../../record/archive/watched-store.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import type { DeviceUse } from '../../record/uses/job-uses.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import type { TemporalClock } from '../../temporal/temporal-clock.ts';

/** What a worker gives to the archiver's activities. */
export interface ArchiverHost {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Id of this cluster; undefined if the account may not read it. */
  readonly clusterId: () => Promise<string | undefined>;
  readonly evidenceStore: EvidenceStore;
  readonly store: WatchedStore;
  /** Returns who signs the log; throws until the store was seen to work. */
  readonly ready: () => Promise<LogSigner>;
  /** Derives the ledgers of jobs from their histories, one after the other. */
  readonly ledgersOf: (jobs: AsyncIterable<ReplayedHistories>) => AsyncIterable<DerivedLedger>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called with each beat, for the metrics. */
  readonly observe: (beat: ArchiverBeat) => void;
  /** Called once for each job that was archived, for the metrics. */
  readonly countUses: (namespace: string, uses: readonly DeviceUse[]) => void;
  /** Aborts when the worker stops: another worker continues. */
  readonly stopping: AbortSignal;
  /** The version of signalbox. */
  readonly version: string;
}

/** What the archiver's activities use. */
export interface ArchiverDependencies extends ArchiverHost {
  readonly now: TemporalClock;
}

export interface ReplayedHistories {
  readonly workflowId: string;
  /** The oldest first. Each is read when it is asked for. */
  readonly runs: AsyncIterable<RunHistory>;
}

export interface DerivedLedger {
  readonly entries: readonly LedgerEntry[];
  readonly error?: Error;
}
