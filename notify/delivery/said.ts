import { HIDDEN, hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { truncate } from '../../language/shorten.ts';

/** What is as short as this is no secret, and would hide words. */
const LEAST_SECRET = 6;
const MOST_SAID = 200;

/**
 * Returns the beginning of what a receiver answered, for people: without the secrets that it was sent, which it may repeat,
 * and without what looks like one. In a line, as it comes from anywhere.
 */
export function saidBy(answer: string, secrets: readonly string[]): string {
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= LEAST_SECRET)
    .sort((one, other) => other.length - one.length);
  const hidden = known.reduce((text, secret) => text.replaceAll(secret, HIDDEN), answer);
  return truncate(
    hideInText(hidden)
      .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
    MOST_SAID,
  );
}

/** Returns what may be a secret of a request: parts of its address, and what its headers prove. */
export function secretsOf(url: URL, headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const { href, pathname, search, searchParams, username, password } = url;
  const parts = [
    ...[href, `${pathname}${search}`, pathname, search, username, password, ...searchParams.values()],
    // A token in a path is one part of it, or several.
    ...[pathname.slice(1), ...pathname.split('/').filter((part) => /\d/.test(part))],
  ];
  const proofs = Object.entries(headers)
    .filter(([name]) => name === 'authorization' || name === 'webhook-signature')
    .flatMap(([, value]) => [value, ...value.split(/[\s,]+/)]);
  const plain = [...parts, ...proofs];
  return [...plain, ...plain.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
