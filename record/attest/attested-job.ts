/** A closed job, as a server or an archive has it. */
import type { LedgerEntry, RecordedPod } from '../../contracts/types.ts';
export interface AttestedJob {
  readonly workflowId: string;
  /** The first run of the workflow's chain of runs. */
  readonly firstRunId: string;
  readonly namespace: string;
  readonly name: string;
  /** As submitted. */
  readonly manifest: unknown;
  /** The whole ledger. */
  readonly entries: readonly LedgerEntry[];
  /** What ran, of the attempts that have a record. */
  readonly pods: readonly RecordedPod[];
  /** Where all this was read: an address of Temporal, or the URL of an archive. */
  readonly readFrom: string;
}
