import { randomBytes } from 'node:crypto';

/**
 * What a page may load and do: the script and style of this console, by a nonce that no markup of others can know. Its script
 * makes markup by one policy of Trusted Types only.
 */
export function pagePolicy() {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types signalbox',
  ].join('; ');
  return { nonce, headers: { 'content-security-policy': policy } };
}
