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
  /** SHA-256 of job.json, which has the SHA-256 of every other file. */
  readonly job: string;
  readonly ledger: LedgerHead;
}

/** The version of the form of a deletion. */
export const DELETION_SCHEMA = 'signalbox.dev/archive-deletion/v1';

/** A later leaf of the log: this archive was deleted on purpose. */
export interface DeletionLeaf {
  readonly schema: typeof DELETION_SCHEMA;
  /** As in the leaf of the archive. */
  readonly folder: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  /** The leaf of the archive: its index in the log, and its hash (RFC 6962, in hex). */
  readonly deleted: { readonly leaf: number; readonly hash: string };
  /** Who deleted it, as they say. */
  readonly by: string;
  readonly why: string;
  /** RFC 3339, by the clock of the machine that deleted it. */
  readonly at: string;
}

export type AnyLeaf = LogLeaf | DeletionLeaf;

export const isDeletion = (leaf: AnyLeaf): leaf is DeletionLeaf => leaf.schema === DELETION_SCHEMA;
