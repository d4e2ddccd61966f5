import type { LedgerPage, LedgerRequest } from '../contracts/ledger.ts';
import type { LedgerEntry } from '../contracts/types.ts';

/** Of one page. Temporal refuses answers of more than 2 MB. */
const MOST_BYTES = 500_000;
const MOST_ENTRIES = 1_000;

/** Returns the entries from a number on, at least one if there is any. */
export function pageOf(entries: readonly LedgerEntry[], { from = 1, limit }: LedgerRequest): LedgerPage {
  const most = Math.min(Math.max(1, limit ?? MOST_ENTRIES), MOST_ENTRIES);
  const page: LedgerEntry[] = [];
  let bytes = 0;
  for (const entry of entries.slice(Math.max(0, from - (entries[0]?.seq ?? 1)))) {
    bytes += JSON.stringify(entry).length;
    const isFull = page.length >= most || (page.length > 0 && bytes > MOST_BYTES);
    if (isFull) return { entries: page, next: entry.seq };
    page.push(entry);
  }
  return { entries: page };
}
