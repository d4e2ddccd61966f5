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

/** The same, with a part of the limit for each namespace: users of one name no values in place of those of all others. */
export function fewValuesOfEach(
  most: number,
  mostOfEach: number,
): (namespace: string, value: string) => string {
  const ofAll = fewValues(most);
  const ofEach = new Map<string, (value: string) => string>();
  return (namespace, value) => {
    const own = ofEach.get(namespace) ?? fewValues(mostOfEach);
    ofEach.set(namespace, own);
    return own(value) === value ? ofAll(value) : OTHER;
  };
}
