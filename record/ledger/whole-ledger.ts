import type { Client } from '@temporalio/client';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { decodedEvents } from '../../temporal/decoded-events.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import { withCallers } from './callers.ts';
import { withClosingEntry } from './closing-entry.ts';

/** Adds to what a replay of a job's histories gave what only the histories know: who asked, and how Temporal closed it. */
export async function wholeLedger(
  client: Pick<Client, 'options'>,
  entries: readonly LedgerEntry[],
  histories: readonly RunHistory[],
): Promise<LedgerEntry[]> {
  const decoded = histories.map(async ({ events }) => ({
    events: [...(await decodedEvents(client, events ?? []))],
  }));
  return withCallers(withClosingEntry(entries, histories), await Promise.all(decoded));
}
