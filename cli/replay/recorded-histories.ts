import type { LedgerEntry } from '../../contracts/types.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';

/** The recorded histories of one job. */
export interface RecordedHistories {
  readonly workflowId: string;
  /** The oldest run first. */
  readonly runs: readonly RunHistory[];
  /** The ledger that was archived with them. */
  readonly ledger?: readonly LedgerEntry[];
}

/** A job to replay. It is read when its turn comes: histories are large. */
export interface ReplaySource {
  /** As people know it: a file, or a job. */
  readonly title: string;
  read(): Promise<RecordedHistories>;
}
