import { describe, expect, it } from '@jest/globals';
import { hasSucceeded } from '../../../machines/assess/success-policy.ts';
import { aPlan, type PlanBuilder } from '../builders.ts';
import { threePods } from '../three-pods.ts';

const workersOnly = () => aPlan().workers(3);

const table: readonly [job: string, plan: () => PlanBuilder, done: Record<string, string>, boolean][] = [
  ['a job with a master, of which nothing is done', threePods, {}, false],
  ['a job with a master that is done', threePods, { master: '0' }, true],
  ['a job with a master whose workers are done', threePods, { worker: '0-1' }, false],
  ['a job of workers, of which the first is done', workersOnly, { worker: '0' }, false],
  ['a job of workers, of which all but one are done', workersOnly, { worker: '0,2' }, false],
  ['a job of workers that are all done', workersOnly, { worker: '0-2' }, true],
  [
    'a job whose first worker decides, and is done',
    () => workersOnly().decidedByFirst(),
    { worker: '0' },
    true,
  ],
  [
    'a job whose first worker decides, when another is done',
    () => workersOnly().decidedByFirst(),
    { worker: '1-2' },
    false,
  ],
  ['a job of a master alone that is done', () => aPlan().master(), { master: '0' }, true],
];

describe('success', () => {
  it.each(table)('%s', (_, plan, succeededIndices, expected) => {
    expect(hasSucceeded({ ...plan().context(), succeededIndices })).toBe(expected);
  });
});
