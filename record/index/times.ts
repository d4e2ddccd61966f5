import type { LedgerEntry } from '../../contracts/ledger.ts';

/** A clock that jumped back makes no negative time. */
export const secondsBetween = (from: number, next: LedgerEntry | undefined, until: number): number =>
  Math.max(0, (next ? Date.parse(next.at) : until) - from) / 1000;

/** Null also for what is not a time, e.g. in a status of another version. */
export function dateOf(text: string | undefined): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}
