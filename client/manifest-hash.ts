import { createHash } from 'node:crypto';
import { compareText } from '../contracts/compare-text.ts';
import { isFields } from '../contracts/fields.ts';

/** Returns a hash that does not depend on the order of keys; docs/wire-contract.md has test vectors. */
export const manifestHashOf = (manifest: unknown): string =>
  createHash('sha256').update(canonicalJson(manifest)).digest('hex');

/** Returns canonical JSON (RFC 8785), which other languages have libraries for. Drops undefined, as JSON does. */
export const canonicalJson = (value: unknown): string => format(JSON.parse(JSON.stringify(value)));

/** JavaScript writes numbers and text as the RFC demands, but keeps keys that are integers before all others. */
function format(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(format).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${format(field)}`).join(',')}}`;
}
