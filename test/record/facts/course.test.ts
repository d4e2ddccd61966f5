import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { courseOf } from '../../../record/facts/course.ts';
import { entriesOf } from '../ledger/events.ts';

const ledgerOf = (...entries: readonly Partial<LedgerEntry>[]): LedgerEntry[] =>
  entriesOf(...entries.map(() => ({ type: 'digest' }) as const)).map((entry, index) => ({
    ...entry,
    ...entries[index],
  }));

const STOPPED = { reason: 'StopRequested', message: 'stopped by ana' } as const;

describe('the course of a job', () => {
  it('is unknown without entries', () => {
    expect(courseOf([])).toBeUndefined();
  });

  it('has the last known cause of its end', () => {
    const decided = { ...STOPPED, message: 'stopped by ana; a checkpoint was acknowledged' };
    const stopped = { phase: 'Stopped', reason: 'StopRequested' } as const;
    const ledger = ledgerOf({ ...stopped, decided: STOPPED }, { ...stopped, decided }, stopped);
    expect(courseOf(ledger)?.cause).toEqual(decided);
  });

  it('has no cause if the job completes after a stop request', () => {
    const ledger = ledgerOf({ phase: 'Stopped', decided: STOPPED }, { phase: 'Completed' });
    expect(courseOf(ledger)).toMatchObject({ phase: 'Completed' });
    expect(courseOf(ledger)).not.toHaveProperty('cause');
  });

  it('counts restarts around a refused request', () => {
    expect(courseOf(ledgerOf({ restarts: 2 }, {}))?.restarts).toBe(2);
  });
});
