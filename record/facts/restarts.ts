/** Restarts that begin with an entry. */
import type { LedgerEntry } from '../../contracts/types.ts';
export interface BegunRestarts {
  readonly restarts: number;
  /** The rule that let pods start again, which may be decided after a back-off. */
  readonly rule?: string;
}

/**
 * Returns the restarts that begin with each entry, by sequence number. What is counted and decided while the job is
 * `Restarting` belongs to the entry with which that began; containers restart in place, without that phase.
 */
export function restartsOf(ledger: readonly LedgerEntry[]): ReadonlyMap<number, BegunRestarts> {
  const found = new Map<number, BegunRestarts>();
  let counted = 0;
  let restarting: number | undefined;
  for (const entry of ledger) {
    const added = Math.max(0, (entry.restarts ?? counted) - counted);
    counted += added;
    const isRestarting = entry.phase === 'Restarting';
    const owner = restarting ?? (isRestarting || added > 0 ? entry.seq : undefined);
    if (owner !== undefined) {
      const { restarts = 0, rule = isRestarting ? entry.rule : undefined } = found.get(owner) ?? {};
      found.set(owner, { restarts: restarts + added, rule });
    }
    restarting = isRestarting ? owner : undefined;
  }
  return found;
}
