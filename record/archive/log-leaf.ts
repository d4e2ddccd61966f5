import type { LedgerHead } from '../ledger/chain.ts';

/** The version of the form of a leaf. */
export const LEAF_SCHEMA = 'signalbox.dev/archive-leaf/v1';

/** One archive in the log, in canonical JSON: it fixes every byte of the archive. */
export interface LogLeaf {
  readonly schema: typeof LEAF_SCHEMA;
  /** The archive's folder, see `archiveFolder`. */
  readonly folder: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  /** SHA-256 of job.json, which has the digest of every other file. */
  readonly job: string;
  readonly ledger: LedgerHead;
}
