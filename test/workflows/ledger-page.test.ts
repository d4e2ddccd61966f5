import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../contracts/types.ts';
import { pageOf } from '../../workflows/ledger-page.ts';

const entry = (seq: number, message = ''): LedgerEntry => ({
  ...{ seq, at: '2026-01-01T00:00:00.000Z', attempt: 1, to: 'Running', phase: 'Running', revision: 1 },
  cause: { type: 'digest' },
  message,
});
const entries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index));
const seqs = (page: ReturnType<typeof pageOf>) => [page.entries.map(({ seq }) => seq), page.next];

describe('a page of a ledger', () => {
  it('has as many entries as asked for, and says where the next one begins', () => {
    expect(seqs(pageOf(entries(1, 5), { limit: 2 }))).toEqual([[1, 2], 3]);
    expect(seqs(pageOf(entries(1, 5), { from: 3, limit: 2 }))).toEqual([[3, 4], 5]);
    expect(seqs(pageOf(entries(1, 5), { from: 5, limit: 2 }))).toEqual([[5], undefined]);
  });

  it('begins with the first entry of the run, whatever its number', () => {
    expect(seqs(pageOf(entries(40, 42), {}))).toEqual([[40, 41, 42], undefined]);
    expect(seqs(pageOf(entries(40, 42), { from: 42 }))).toEqual([[42], undefined]);
  });

  it('is empty behind the end, and of a run without entries', () => {
    expect(seqs(pageOf(entries(1, 5), { from: 6 }))).toEqual([[], undefined]);
    expect(seqs(pageOf([], {}))).toEqual([[], undefined]);
  });

  it('stays below the limit of an answer, but has at least one entry', () => {
    const long = 'x'.repeat(300_000);
    const many = [entry(1, long), entry(2, long), entry(3, long + long)];
    expect(seqs(pageOf(many, {}))).toEqual([[1], 2]);
    expect(seqs(pageOf(many, { from: 3 }))).toEqual([[3], undefined]);
  });

  it.each([0, -1, Number.NaN])('takes the limit %d for the smallest or the usual one', (limit) => {
    expect(pageOf(entries(1, 5), { limit }).entries.length).toBeGreaterThan(0);
  });
});
