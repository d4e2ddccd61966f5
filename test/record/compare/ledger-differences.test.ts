import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { compareLedgers } from '../../../record/compare/ledger-differences.ts';
import { SOME_ENTRIES } from '../archive/some-job.ts';

const changed = (index: number, change: Partial<LedgerEntry>): LedgerEntry[] =>
  SOME_ENTRIES.map((entry, at) => (at === index ? { ...entry, ...change } : entry));

describe('two ledgers of one job', () => {
  it('are equal, whoever made requests, in any chain, and however Temporal closed the job', () => {
    const replayed = SOME_ENTRIES.map(({ cause, ...entry }) => ({
      ...entry,
      cause: 'who' in cause ? { ...cause, who: { given: 'unknown' } } : cause,
    })) as LedgerEntry[];
    const archived = [
      ...SOME_ENTRIES.map((entry) => ({ ...entry, prev: 'a hash' })),
      { ...SOME_ENTRIES[1]!, seq: 3, cause: { type: 'closed', how: 'terminated', who: {} } as const },
    ];
    expect(compareLedgers(archived, replayed)).toEqual({ reworded: 0 });
  });

  it('are reworded if only a message differs', () => {
    expect(compareLedgers(SOME_ENTRIES, changed(1, { message: 'The job was stopped.' }))).toEqual({
      reworded: 1,
    });
  });

  it('differ from the first different decision on', () => {
    const replayed = changed(1, { to: 'Suspended.Draining', rule: 'a rule' });
    expect(compareLedgers(SOME_ENTRIES, replayed).first).toEqual({
      ...{ seq: 2, fields: ['to', 'rule'] },
      ...{ recorded: SOME_ENTRIES[1], replayed: replayed[1] },
    });
  });

  it('differ if one has an entry more', () => {
    expect(compareLedgers(SOME_ENTRIES.slice(0, 1), SOME_ENTRIES).first).toMatchObject({
      ...{ seq: 2, fields: ['entry'] },
      replayed: SOME_ENTRIES[1],
    });
  });
});
