/** Returns the first by an order, the earlier one of two that are equal in it. */
export function firstOf<T>(all: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  let first: T | undefined;
  for (const one of all) if (first === undefined || compare(one, first) < 0) first = one;
  return first;
}
