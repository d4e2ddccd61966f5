import type { Client } from '@temporalio/client';
import type { LedgerEntry } from '../../contracts/types.ts';
import { decodedEvents } from '../../temporal/decoded-events.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import { createCallers } from './callers.ts';
import { withClosingEntry } from './closing-entry.ts';

/** Adds to what a replay of a job's histories gave what only the histories know: who asked, and how Temporal closed it. */
export async function wholeLedger(
  client: Pick<Client, 'options'>,
  entries: readonly LedgerEntry[],
  histories: readonly RunHistory[],
): Promise<LedgerEntry[]> {
  const supplement = createSupplement(client);
  for (const history of histories) await supplement.read(history);
  return supplement.addTo(entries);
}

/** The same, from one history at a time. */
interface LedgerSupplement {
  /** Takes the next history; those of all runs, the oldest first. */
  read(history: RunHistory): Promise<void>;
  addTo(entries: readonly LedgerEntry[]): LedgerEntry[];
}

export function createSupplement(client: Pick<Client, 'options'>): LedgerSupplement {
  const callers = createCallers();
  const ends: RunHistory[] = [];
  return {
    read: async (history) => {
      for (const event of await decodedEvents(client, history.events ?? [])) callers.read(event);
      ends.push(endsOf(history));
    },
    addTo: (entries) => withClosingEntry(entries, ends).map((entry) => callers.join(entry)),
  };
}

/** Returns a history without the events between its first and its last one. */
export function endsOf({ events }: RunHistory): RunHistory {
  const [first] = events ?? [];
  const last = events?.at(-1);
  return { events: first && last ? [first, last] : [] };
}
