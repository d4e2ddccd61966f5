import type { LedgerEntry } from '../../contracts/ledger.ts';

/** How long a job stayed in a state: from the entry that led to it until the one that led out of it. */
export interface Stay {
  readonly since: string;
  /** Absent for the state that it is in. */
  readonly until?: string;
}

/** Returns the stay that begins with each entry that leads to a state, by sequence number. */
export function staysOf(entries: readonly LedgerEntry[]): ReadonlyMap<number, Stay> {
  const stays = new Map<number, Stay>();
  let until: string | undefined;
  for (const entry of entries.toReversed()) {
    if (entry.from === entry.to) continue;
    stays.set(entry.seq, { since: entry.at, ...(until === undefined ? {} : { until }) });
    until = entry.at;
  }
  return stays;
}
