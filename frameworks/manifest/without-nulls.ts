/**
 * A manifest less its fields that are null: to Kubernetes they are not there, and templates write `annotations:` with
 * nothing after it. What a list holds stays, as its indices name places in faults.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
