import type { RequestCause } from '../../contracts/ledger.ts';
import type { LedgerEntry } from '../../contracts/types.ts';

/** The request that made a revision of a job. */
export type RevisionRequest = Omit<RequestCause, 'madeRevision'> & {
  /** Number of the revision. */
  readonly madeRevision: number;
  /** When the job agreed, RFC 3339. */
  readonly at: string;
};

/**
 * Returns who asked for each revision after the first one, in order. The job numbers a revision when it agrees to the
 * request. The `revision` of an entry is not enough: of two sizes asked for in a row only the second may take effect.
 */
export const revisionRequests = (entries: readonly LedgerEntry[]): RevisionRequest[] =>
  entries.flatMap(({ at, cause }) =>
    cause.type === 'request' && cause.madeRevision !== undefined
      ? [{ ...cause, madeRevision: cause.madeRevision, at }]
      : [],
  );

/** Returns who asked for one revision; undefined if the ledger begins later. */
export const requestOfRevision = (
  entries: readonly LedgerEntry[],
  number: number,
): RevisionRequest | undefined =>
  revisionRequests(entries).find(({ madeRevision }) => madeRevision === number);
