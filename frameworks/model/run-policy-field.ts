import type { Dialect } from './dialect.ts';

/** Returns where manifests of a dialect have a field of the run policy; undefined if they have no such field. */
export function runPolicyField({ fields }: Pick<Dialect, 'fields'>, field: string): string | undefined {
  if (fields.runPolicy?.includes(field)) return `spec.runPolicy.${field}`;
  return fields['']?.includes(field) ? `spec.${field}` : undefined;
}
