import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DeniedError } from './denied-error.ts';
import { derivedKey } from './derived-key.ts';

const COOKIE = 'signalbox-form';

/**
 * Proves that a form came from a page of this console: the page carries a token that only consoles with the same key can make, for a
 * cookie that only this browser has and this person. Without a key of a file, forms must be loaded again after a restart.
 */
export class FormTokens {
  readonly #key: Buffer;
  readonly #isSecure: boolean;

  constructor({ isSecure, key }: { readonly isSecure: boolean; readonly key: Buffer }) {
    this.#key = derivedKey(key, 'forms');
    this.#isSecure = isSecure;
  }

  /** Returns the token for a page, and the header that sets the cookie if there is none. */
  issue(
    request: IncomingMessage,
    person: string,
  ): { readonly token: string; readonly headers: Readonly<Record<string, string>> } {
    const given = cookieOf(request, COOKIE);
    const browser = given ?? randomBytes(18).toString('base64url');
    const token = this.#tokenOf(browser, person);
    if (given) return { token, headers: {} };
    const cookie = `${COOKIE}=${browser}; Path=/; HttpOnly; SameSite=Strict${this.#isSecure ? '; Secure' : ''}`;
    return { token, headers: { 'set-cookie': cookie } };
  }

  /** Throws `DeniedError` unless the form is of this console, browser and person. */
  check(request: IncomingMessage, person: string, token: string | null): void {
    const browser = cookieOf(request, COOKIE);
    const expected = browser && this.#tokenOf(browser, person);
    if (!expected || !token || !isEqual(token, expected))
      throw new DeniedError('ForeignForm', 'The form is not of this session.', {
        remedy: 'Nothing was done. Load the page again, and repeat what you wanted.',
      });
  }

  #tokenOf(browser: string, person: string): string {
    return createHmac('sha256', this.#key).update(`${browser}\n${person}`).digest('base64url');
  }
}

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Returns a cookie of a request. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value && /^[\w-]{1,4000}$/.test(value)) return value;
  }
  return undefined;
}

/**
 * Throws `DeniedError` unless a request that changes something comes from a page of this console. Browsers say where from
 * in both headers; whatever they say must be right. `url`: the address in people's browsers, if it is known.
 */
export function checkOrigin({ headers }: IncomingMessage, url: string | undefined): void {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const own = [`http://${host}`, `https://${host}`, ...(url === undefined ? [] : [new URL(url).origin])];
  const isOwn = origin === undefined ? site === 'same-origin' : own.includes(origin);
  if (isOwn && (site === undefined || site === 'same-origin')) return;
  throw new DeniedError(
    'ForeignPage',
    `The request comes from ${origin ?? site ?? 'no page'}, not from a page of this console.`,
    { remedy: 'Nothing was done. Behind a proxy, SIGNALBOX_CONSOLE_URL must be the address in the browser.' },
  );
}
