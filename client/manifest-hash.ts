import { createHash } from 'node:crypto';
import { compareText } from '../contracts/compare-text.ts';
import { type Fields, isFields } from '../contracts/fields.ts';

/** Returns a hash that does not depend on the order of keys. */
export const manifestHashOf = (manifest: unknown): string =>
  createHash('sha256').update(canonicalJson(manifest)).digest('hex');

/** Returns JSON with sorted keys; drops undefined, as JSON does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isFields(part) ? sorted(part) : part));
}

const sorted = (object: Fields) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareText(a, b)));
