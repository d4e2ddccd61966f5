import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatRanges, parseRanges, unionRanges } from '../../language/index-ranges.ts';

const indices = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });
const inOrder = (list: readonly number[]) => [...new Set(list)].sort((a, b) => a - b);

describe('sets of indices as ranges', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1, 2], '0-2'],
    [[5, 1, 0, 2], '0-2,5'],
    [[9, 10, 10, 11], '9-11'],
    [[0, 2, 4], '0,2,4'],
  ])('%j is written %j', (list, text) => {
    expect(formatRanges(list)).toBe(text);
  });

  it('survive formatting and parsing', () => {
    fc.assert(
      fc.property(indices, (list) => {
        expect(parseRanges(formatRanges(list))).toEqual(inOrder(list));
      }),
    );
  });

  it('have a union like sets', () => {
    fc.assert(
      fc.property(indices, indices, (a, b) => {
        const union = unionRanges(formatRanges(a), formatRanges(b));
        expect(union).toBe(formatRanges([...a, ...b]));
        expect(unionRanges(union, formatRanges(a))).toBe(union);
      }),
    );
  });

  it('take little space', () => {
    expect(formatRanges(Array.from({ length: 1000 }, (_, index) => index))).toBe('0-999');
  });
});
