/** What stands for all values of a label beyond the limit. */
const OTHER = 'other';

/**
 * Returns a function that keeps the first `most` different values, and replaces all others. Users choose namespaces, kinds
 * and teams: a label that may have any value would make a series of each.
 */
export function fewValues(most: number): (value: string) => string {
  const kept = new Set<string>();
  return (value) => {
    if (kept.size < most) kept.add(value);
    return kept.has(value) ? value : OTHER;
  };
}
