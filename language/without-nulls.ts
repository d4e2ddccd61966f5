/**
 * Returns a manifest without its null fields. Kubernetes treats them as absent, and templates produce an empty
 * `annotations:`. Keeps null items of lists, as faults refer to items by index.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
