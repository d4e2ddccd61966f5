import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { intervalsOf, staysInState } from '../../../record/facts/intervals.ts';
import { entriesOf } from '../ledger/events.ts';

const DIGEST = { type: 'digest' } as const;
const START = Date.parse('2026-11-23T18:00:00.000Z');

/** Entries that lead to these states, at these seconds. */
const ledgerOf = (...steps: readonly (readonly [second: number, to: string])[]): LedgerEntry[] =>
  entriesOf(...steps.map(() => DIGEST)).map((entry, index) => {
    const [second, to] = steps[index]!;
    return { ...entry, at: new Date(START + second * 1000).toISOString(), from: steps[index - 1]?.[1], to };
  });

/** Sequence numbers, and seconds since the start. */
const briefly = (...args: Parameters<typeof intervalsOf>) =>
  intervalsOf(...args).map(({ from, to, entries }) => [
    entries.map(({ seq }) => seq),
    (from - START) / 1000,
    (to - START) / 1000,
  ]);

describe('intervals of a ledger', () => {
  const entries = ledgerOf([0, 'Pending'], [1, 'Running'], [2, 'Running'], [5, 'Completed']);
  const until = START + 9_000;

  it('last from each entry until the next one, and the last one until the end', () => {
    expect(briefly(entries, until)).toEqual([
      [[1], 0, 1],
      [[2], 1, 2],
      [[3], 2, 5],
      [[4], 5, 9],
    ]);
  });

  it('in one state last until the entry that leaves it, whatever happened meanwhile', () => {
    expect(briefly(entries, until, staysInState)).toEqual([
      [[1], 0, 1],
      [[2, 3], 1, 5],
      [[4], 5, 9],
    ]);
  });

  it('are never negative when a clock went back', () => {
    expect(briefly(ledgerOf([5, 'Pending'], [1, 'Running']), START)).toEqual([
      [[1], 5, 5],
      [[2], 1, 1],
    ]);
  });
});
