import canonicalize from 'canonicalize';

/**
 * Returns plain data as canonical JSON (RFC 8785), which other languages have libraries for. Drops undefined, as JSON does.
 * A lone surrogate, which is no Unicode, becomes U+FFFD, as wherever text becomes UTF-8: whatever was put into a
 * manifest or a request can be recorded. Throws for what JSON cannot say, e.g. NaN.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalized(value);
  if (text === undefined) throw new TypeError('expected a JSON value, got nothing');
  return text;
}

/** Texts are almost always valid, so nothing is copied before it has to be. */
function canonicalized(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return canonicalize(wellFormed(value));
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key.toWellFormed(), wellFormed(field)]),
  );
}
