import canonicalize from 'canonicalize';

/**
 * Returns a value as canonical JSON (RFC 8785), which other languages have libraries for. Drops undefined, as JSON does.
 * Throws for what JSON cannot say, e.g. NaN or a lone surrogate.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('expected a JSON value, got nothing');
  return text;
}
