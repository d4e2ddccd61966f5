import { expect, it } from '@jest/globals';
import { fewValues, fewValuesOfEach } from '../../../watcher/census/few-values.ts';

it('a label has at most so many values, and one for all others', () => {
  const teams = fewValues(2);
  expect(['vision', 'speech', 'search', 'vision'].map(teams)).toEqual([
    'vision',
    'speech',
    'other',
    'vision',
  ]);
});

it('users of one namespace take only a part of the values of a label', () => {
  const teams = fewValuesOfEach(4, 2);
  expect(['a', 'b', 'c', 'd'].map((team) => teams('evil', team))).toEqual(['a', 'b', 'other', 'other']);
  expect(teams('prod', 'vision')).toBe('vision');
});
