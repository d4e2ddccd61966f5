import type { LedgerEntry } from '../../contracts/ledger.ts';
import { classOfReason } from '../../contracts/reasons.ts';
import { secondsBetween } from './times.ts';

/** A time for which a job waited for one thing. */
export interface Wait {
  /** Sequence number of the entry with which it began. */
  readonly seq: number;
  /** A reason code of class `waiting`. */
  readonly waitingFor: string;
  readonly seconds: number;
}

/**
 * Returns what a job waited for, in order. Entries that follow each other and wait for the same thing are one wait: a
 * request, or a scheduler's new message, does not end it. `until` is when the workflow closed, or now.
 */
export function waitsOf(ledger: readonly LedgerEntry[], until: number): readonly Wait[] {
  const waits: Wait[] = [];
  let begun: LedgerEntry | undefined;
  const end = (next?: LedgerEntry) => {
    const waitingFor = begun && waitingForOf(begun);
    if (!begun || waitingFor === undefined) return;
    waits.push({ seq: begun.seq, waitingFor, seconds: secondsBetween(Date.parse(begun.at), next, until) });
  };
  for (const entry of ledger) {
    if (begun && waitingForOf(begun) === waitingForOf(entry)) continue;
    end(entry);
    begun = entry;
  }
  end();
  return waits;
}

/** Other entries are about a failure, or about nothing. */
export const waitingForOf = ({ reason }: LedgerEntry): string | undefined =>
  reason !== undefined && classOfReason(reason) === 'waiting' ? reason : undefined;
