import { createHash } from 'node:crypto';

/** The same for manifests that say the same, in whatever order their keys stand. */
export const manifestHashOf = (manifest: unknown): string =>
  createHash('sha256').update(canonicalJson(manifest)).digest('hex');

/** JSON with sorted keys; what JSON drops (undefined) is dropped before sorting. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isPlainObject(part) ? sorted(part) : part));
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
