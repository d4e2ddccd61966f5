import type { LedgerCause, LedgerEntry } from './types.ts';

/** The version of the ledger's form. A reader refuses a later one. */
export const LEDGER_SCHEMA = 'signalbox.dev/ledger/v1';

/** Query that returns a page of the entries of one run of the workflow, a `LedgerPage`. Argument: a `LedgerRequest`. */
export const LEDGER_QUERY = 'ledger';

/** Which entries of a run: from this sequence number on, at most so many. */
export interface LedgerRequest {
  readonly from?: number;
  readonly limit?: number;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; undefined after the last one. */
  readonly next?: number;
}

/** A request. */
export type RequestCause = Extract<LedgerCause, { readonly type: 'request' }>;
