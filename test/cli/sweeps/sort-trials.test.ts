import { describe, expect, it } from '@jest/globals';
import { noProgress, trialRows } from '../../../cli/print/trial-rows.ts';
import { sortIn } from '../../../cli/sweeps/sort-by.ts';
import { sortedTrials } from '../../../cli/sweeps/sort-trials.ts';
import type { SweepTrial } from '../../../contracts/parameter-sweep.ts';

const trial = (index: number, more: Partial<SweepTrial> = {}): SweepTrial => ({
  ...{ index, name: `train-${index}`, workflowId: `job/ml/train-${index}` },
  ...{ values: { lr: ['0.1', '1e-3', '0.02'][index % 3], seed: index }, phase: 'Completed' },
  ...more,
});

const TRIALS = [
  trial(0, { progress: 'loss=0.9' }),
  trial(1, { phase: 'Waiting' }),
  trial(2, { progress: 'loss=2.5e-05' }),
  trial(3, { progress: '-1.5' }),
  trial(4, { progress: 'epoch10 loss=12' }),
];

const order = (sort: string) => sortedTrials(TRIALS, sortIn(sort)!).map(({ index }) => index);

describe('trials of a sweep are sorted', () => {
  it.each([
    ['progress', [3, 2, 0, 4, 1]],
    ['progress:asc', [3, 2, 0, 4, 1]],
    ['progress:desc', [4, 0, 2, 3, 1]],
    ['lr', [1, 4, 2, 0, 3]],
    ['seed:desc', [4, 3, 2, 1, 0]],
    ['name', [0, 1, 2, 3, 4]],
    ['phase:desc', [1, 0, 2, 3, 4]],
  ])('by %s', (sort, expected) => {
    expect(order(sort)).toEqual(expected);
  });

  it('by the time they have taken, those that were not started last', () => {
    const at = (second: number) => new Date(second * 1000).toISOString();
    const trials = [
      trial(0, { startTime: at(0), endTime: at(9) }),
      trial(1, { phase: 'Waiting' }),
      trial(2, { startTime: at(5), endTime: at(7) }),
    ];
    expect(sortedTrials(trials, sortIn('time')!).map(({ index }) => index)).toEqual([2, 0, 1]);
  });

  it('by no column that there is not', () => {
    expect(() => order('progres')).toThrow(
      '--sort: expected one of progress, time, phase, name, lr, seed (did you mean progress?), got progres.',
    );
    expect(sortIn('progress:down')).toBeUndefined();
    expect(sortIn('')).toBeUndefined();
  });
});

it('a trial is a row with its values', () => {
  const { head, rows } = trialRows([
    trial(0, { phase: 'Failed', reason: 'PodFailed', progress: '7' }),
    trial(1, { phase: 'Refused', why: 'Another job has the name.' }),
  ]);
  expect(head).toEqual(['TRIAL', 'lr', 'seed', 'PHASE', 'REASON', 'PROGRESS', 'TIME']);
  expect(rows).toEqual([
    ['train-0', '0.1', '0', expect.stringContaining('Failed'), 'PodFailed', '7', ''],
    ['train-1', '1e-3', '1', expect.stringContaining('Refused'), 'Another job has the name.', '', ''],
  ]);
});

describe('the note below trials without progress', () => {
  const startTime = new Date(0).toISOString();

  it('says what the policy needs', () => {
    expect(noProgress([trial(0, { startTime })])).toContain(
      'signalbox.dev/policy: "progress: { log: \'loss=',
    );
  });

  it('is left out if one has progress, or none was started', () => {
    expect(noProgress([trial(0, { startTime }), trial(1, { startTime, progress: '3' })])).toBeUndefined();
    expect(noProgress([trial(0, { phase: 'Waiting' })])).toBeUndefined();
  });
});
