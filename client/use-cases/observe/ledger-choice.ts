import type { LedgerEntry } from '../../../contracts/types.ts';

/**
 * Which entries of a job's ledger.
 *
 * @public
 */
export interface LedgerChoice {
  /** Only this attempt. */
  readonly attempt?: number;
  /** Only entries of then or later. */
  readonly since?: Date;
  /** Only entries from this sequence number on. */
  readonly from?: number;
  /** At most so many, the oldest first. */
  readonly limit?: number;
}

/** Whether an entry is one of those that are asked for, apart from their number. */
export const isChosen = (entry: LedgerEntry, { attempt, since, from = 1 }: LedgerChoice): boolean =>
  entry.seq >= from &&
  (attempt === undefined || entry.attempt === attempt) &&
  (since === undefined || Date.parse(entry.at) >= since.getTime());
