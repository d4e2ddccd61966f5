import type { LeafRange } from './parts.ts';

/** How parts grow: `fan` parts of a size are merged into one of the next size, up to the largest. */
export interface MergeSizes {
  readonly fan: number;
  readonly largest: number;
}

/** 100,000 jobs are at most 32 parts of each table, and a row is written about six times (measured in docs/decisions/0042). */
export const MERGE_SIZES: MergeSizes = { fan: 8, largest: 8 ** 5 };

/**
 * Returns the ranges of the parts of an index of so many leaves. They follow from the number alone, so every writer makes
 * the same parts. All but the last begin at a multiple of their length.
 */
export function partRangesOf(size: number, { fan, largest }: MergeSizes = MERGE_SIZES): readonly LeafRange[] {
  const ranges: LeafRange[] = [];
  let from = 0;
  for (let length = largest; length >= fan; length /= fan) {
    for (; from + length <= size; from += length) ranges.push({ from, to: from + length });
  }
  return from < size ? [...ranges, { from, to: size }] : ranges;
}
