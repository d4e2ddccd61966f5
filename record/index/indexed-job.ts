import type { LedgerWho } from '../../contracts/ledger.ts';
import type { JobStatus } from '../../contracts/status.ts';

/** What the index needs to know of a job, archived or live. An `ArchivedJob` is one. */
export interface IndexedJob {
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  readonly runId: string;
  readonly temporalNamespace: string;
  readonly submitted: {
    readonly at: string;
    readonly who: LedgerWho;
    readonly why?: string;
    readonly rerunOf?: { readonly workflowId: string };
  };
  /** When the workflow closed; undefined for a live job, whose waits and states last until `now`. */
  readonly closed?: string;
  readonly close?: string;
  readonly status: JobStatus;
  readonly manifest?: unknown;
  readonly archivedAt?: string;
}

/** Where the archive of a job is. */
export interface IndexPlace {
  readonly folder: string;
  readonly leaf: number;
}
