/**
 * Returns how many items, which are in ascending order of a number, have one of at most `most`. Halves the items at each
 * step: there may be tens of thousands, and as many questions.
 */
export function countUpTo<T>(items: readonly T[], most: number, numberOf: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(items[middle]!) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
