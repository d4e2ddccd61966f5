import type { LedgerEntry } from '../../contracts/ledger.ts';

/**
 * Returns the restarts that begin with each entry, by sequence number. What is counted while the job is `Restarting`
 * belongs to the entry with which that began, which has the rule; containers restart in place, without that phase.
 */
export function restartsOf(ledger: readonly LedgerEntry[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let counted = 0;
  let restarting: number | undefined;
  for (const entry of ledger) {
    const isRestarting = entry.phase === 'Restarting';
    if (isRestarting && restarting === undefined) found.set(entry.seq, 0);
    const added = Math.max(0, (entry.restarts ?? counted) - counted);
    const owner = restarting ?? (isRestarting || added > 0 ? entry.seq : undefined);
    if (owner !== undefined) found.set(owner, (found.get(owner) ?? 0) + added);
    counted += added;
    restarting = isRestarting ? (restarting ?? entry.seq) : undefined;
  }
  return new Map([...found].map(([seq, restarts]) => [seq, Math.max(1, restarts)]));
}
