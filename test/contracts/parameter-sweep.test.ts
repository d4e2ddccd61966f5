import { describe, expect, it } from '@jest/globals';
import { JobNotFoundError, WorkerAwayError } from '../../client/errors/errors.ts';
import {
  parameterSweepIdOf,
  parameterSweepOf,
  type SweepSummary,
  trialsText,
} from '../../contracts/parameter-sweep.ts';

const SWEEP = { namespace: 'ml', name: 'train' };
const SUMMARY: SweepSummary = {
  ...SWEEP,
  ...{ phase: 'Running', trials: 200, atMost: 50, waiting: 30, running: 50, completed: 120 },
  ...{ failed: 0, stopped: 0, refused: 0, failures: [] },
};

describe('a sweep', () => {
  it('is named by its workflow id', () => {
    expect(parameterSweepOf(parameterSweepIdOf(SWEEP))).toEqual(SWEEP);
    expect(parameterSweepOf('job/ml/train')).toBeUndefined();
    expect(parameterSweepOf('parameter-sweep/ml')).toBeUndefined();
  });

  it('has its counts in one sentence, without those that are zero', () => {
    expect(trialsText(SUMMARY)).toBe('200 trials: 120 completed, 50 running, 30 waiting');
    const one = { ...SUMMARY, trials: 1, completed: 1, running: 0, waiting: 0 };
    expect(trialsText(one)).toBe('1 trial: 1 completed');
  });

  it('is called a sweep in errors', () => {
    const workflowId = parameterSweepIdOf(SWEEP);
    const missing = new JobNotFoundError(workflowId);
    expect(missing.message).toBe('There is no sweep ml/train.');
    expect(missing.remedy).toMatch(/^See `signalbox sweep list`/);
    expect(new WorkerAwayError(workflowId).remedy).toBe(
      'Start one: `signalbox up`. The sweep then continues.',
    );
    expect(new JobNotFoundError('job/ml/train').message).toBe('There is no job job/ml/train.');
  });
});
