import type { LedgerEntry } from '../../../contracts/types.ts';
import { createCallers } from '../../../record/ledger/callers.ts';
import type { RunHistory } from '../../../temporal/run-chain.ts';

/** Adds to each entry of a ledger who asked, from the raw histories of the workflow's runs, the oldest first. */
export function withCallers(entries: readonly LedgerEntry[], runs: readonly RunHistory[]): LedgerEntry[] {
  const callers = createCallers();
  for (const { events } of runs) for (const event of events ?? []) callers.read(event);
  return entries.map((entry) => callers.join(entry));
}
