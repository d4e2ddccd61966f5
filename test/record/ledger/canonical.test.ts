import { expect, it } from '@jest/globals';
import { canonicalJson } from '../../../language/canonical-json.ts';

it.each([
  ['keys in order, without undefined', { b: 1, a: undefined, c: 'x' }, '{"b":1,"c":"x"}'],
  ['whole characters', ['🚀'], '["🚀"]'],
  [
    'half a character as U+FFFD',
    { a: ['x\ud83d', { 'k\ude80': null }] },
    '{"a":["x\ufffd",{"k\ufffd":null}]}',
  ],
])('canonical JSON has %s', (_, value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

it('values without JSON are refused', () => {
  expect(() => canonicalJson(undefined)).toThrow('expected a JSON value, got nothing');
  expect(() => canonicalJson({ a: Number.NaN })).toThrow('NaN');
});
