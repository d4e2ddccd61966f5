import { expect, it } from 'vitest';
import { shorten } from '../../contracts/shorten.ts';

it.each([
  ['all of it', 'for no node', 11, 'for no node'],
  ['whole words', 'for incompatible nodes', 12, 'for…'],
  ['whole words up to the limit', 'one two three', 8, 'one two…'],
  ['what there is of a single word', 'x'.repeat(20), 8, 'xxxxxxx…'],
])('a message keeps %s', (_, text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});
