import { describe, expect, it } from '@jest/globals';
import type { JobStatus } from '../../contracts/types.ts';
import { nextRecord, type Recorded } from '../../workflows/next-record.ts';
import { aStatus } from './some-status.ts';

type More = Partial<Parameters<typeof nextRecord>[2]>;

const next = (before: Recorded, status: JobStatus, more: More = {}) =>
  nextRecord(before, status, { hasResource: false, isBusy: false, isNotified: false, ...more });

const running: Recorded = { phase: 'Running', record: 3, digestHash: 'one' };
const starting: Recorded = { phase: 'Starting', record: 2, digestHash: '' };
const stalled = aStatus('Running', { cause: { reason: 'Stalled', message: 'no progress' } });

describe('the next record of a job', () => {
  it.each<[string, Recorded, JobStatus, More, string]>([
    ['that runs as before', running, aStatus('Running'), { digestHash: 'one' }, 'nothing'],
    ['whose digest is outdated', running, aStatus('Running'), { digestHash: 'two' }, 'write'],
    ['whose record is lost', running, aStatus('Running'), { digestHash: 'one', isUnrecorded: true }, 'write'],
    [
      'whose record is lost or under way',
      running,
      aStatus('Running'),
      { digestHash: 'one', isUnrecorded: true, isBusy: true },
      'nothing',
    ],
    ['that comes to run', starting, aStatus('Running'), {}, 'show'],
    ['that comes to run while it is recorded', starting, aStatus('Running'), { isBusy: true }, 'write'],
    ['that comes to run on quota of others', starting, aStatus('Running'), { isNotified: true }, 'write'],
    ['that restarts', running, aStatus('Restarting'), {}, 'write'],
    ['with another reason', running, stalled, { digestHash: 'one' }, 'nothing'],
    [
      'with another reason and a resource',
      running,
      stalled,
      { digestHash: 'one', hasResource: true },
      'show',
    ],
    ['whose clean-up goes on', running, aStatus('Failed', { state: 'Finishing.CleaningUp' }), {}, 'nothing'],
    ['that is over', running, aStatus('Failed'), {}, 'write'],
    [
      'that is over, as its clean-up wrote',
      running,
      aStatus('Failed'),
      { writtenEnd: aStatus('Failed') },
      'nothing',
    ],
  ])('%s', (_, before, status, more, by) => {
    expect(next(before, status, more).by).toBe(by);
  });

  it('has the number after the last one, and the digest of a job that comes to run', () => {
    const due = { phase: 'Running', record: 3, digestHash: 'new' };
    expect(next(starting, aStatus('Running'), { digestHash: 'new' })).toMatchObject({
      due,
      record: { record: 3 },
    });
  });

  it('keeps the digest if only the reason is another one', () => {
    const due = { ...running, record: 4, reason: 'Stalled' };
    expect(next(running, stalled, { digestHash: 'one', hasResource: true })).toMatchObject({ due });
  });
});
