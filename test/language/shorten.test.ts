import { expect, it } from '@jest/globals';
import { shorten, truncate } from '../../language/shorten.ts';

it.each([
  ['all of it', 'for no node', 11, 'for no node'],
  ['whole words', 'for incompatible nodes', 12, 'for…'],
  ['whole words up to the limit', 'one two three', 8, 'one two…'],
  ['what there is of a single word', 'x'.repeat(20), 8, 'xxxxxxx…'],
])('a shortened message keeps %s', (_, text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});

it.each([
  ['a text that is short enough', 'loss 🚀', 7, 'loss 🚀'],
  ['whole characters of one unit', 'loss', 3, 'los'],
  ['no half of a character', 'a🚀b', 2, 'a'],
  ['a whole character of two units', 'a🚀b', 3, 'a🚀'],
  ['what was torn before', 'a\ud83d', 2, 'a\ud83d'],
])('a cut text keeps %s', (_, text, length, expected) => {
  expect(truncate(text, length)).toBe(expected);
});

it('no message is cut within a character', () => {
  const text = '🚀'.repeat(20);
  for (let length = 1; length < 30; length++) expect(shorten(text, length).isWellFormed()).toBe(true);
});
