import type { LedgerEntry } from '../../contracts/ledger.ts';
import { REASONS } from '../../contracts/reasons.ts';
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
  return ledger.flatMap((entry, index) => {
    const waitingFor = waitingForOf(entry);
    const before = ledger[index - 1];
    if (waitingFor === undefined || (before && waitingForOf(before) === waitingFor)) return [];
    const next = ledger.slice(index + 1).find((later) => waitingForOf(later) !== waitingFor);
    return [{ seq: entry.seq, waitingFor, seconds: secondsBetween(Date.parse(entry.at), next, until) }];
  });
}

/** Other entries are about a failure, or about nothing. */
export const waitingForOf = ({ reason }: LedgerEntry): string | undefined =>
  reason !== undefined && CLASSES[reason] === 'waiting' ? reason : undefined;

/** Of the reasons that this version knows: a ledger may be of a later one. */
const CLASSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REASONS).map(([code, { class: name }]) => [code, name]),
);

export const reasonClassOf = (reason: string | undefined): string | null => CLASSES[reason ?? ''] ?? null;
