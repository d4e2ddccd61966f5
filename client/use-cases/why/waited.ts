import type { LedgerEntry, Waited } from '../../../contracts/types.ts';
import { waitsOf } from '../../../record/facts/waits.ts';

/** Adds up what a job waited for, the longest first. */
export const waitedFor = (ledger: readonly LedgerEntry[], until: number): Waited[] =>
  [...Map.groupBy(waitsOf(ledger, until), ({ reason }) => reason)]
    .map(([reason, waits]) => ({
      reason,
      seconds: Math.round(waits.reduce((sum, { from, to }) => sum + to - from, 0) / 1000),
      times: waits.length,
      message: waits.at(-1)!.message,
      from: new Date(waits[0]!.from).toISOString(),
    }))
    .sort((a, b) => b.seconds - a.seconds);
