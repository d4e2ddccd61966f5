import { expect, it } from '@jest/globals';
import { fewValues } from '../../../watcher/census/few-values.ts';

it('a label has at most so many values, and one for all others', () => {
  const teams = fewValues(2);
  expect(['vision', 'speech', 'search', 'vision'].map(teams)).toEqual([
    'vision',
    'speech',
    'other',
    'vision',
  ]);
});
