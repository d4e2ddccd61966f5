import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OidcSettings } from '../../contracts/settings.ts';
import { DeniedError } from '../http/denied-error.ts';
import { cookieOf } from '../http/forgery.ts';
import { ProblemError } from '../http/problem-error.ts';
import { personOf } from './oidc-claims.ts';
import { OidcClient, type SignInRequest } from './oidc-client.ts';
import type { Identity, Person, SignInElsewhere } from './person.ts';
import { Sealed } from './sealed.ts';

/** So long somebody may take at the provider. */
const SIGN_IN_MS = 10 * 60_000;
/** What browsers keep of a cookie, with its name and attributes. */
const MOST_COOKIE = 3_900;

interface Session extends Person {
  readonly id: string;
}

interface Begun extends SignInRequest {
  /** The page that somebody wanted to see. */
  readonly to: string;
}

interface OidcOptions {
  readonly oidc: OidcSettings;
  /** Of the console, in people's browsers. */
  readonly url: string;
  readonly key: Buffer;
  readonly secret: string | undefined;
}

/**
 * People as an OpenID provider names them. The browser keeps who it is in an encrypted cookie, so that a restart of the console,
 * or another one with the same key, asks nobody again.
 */
export class OidcIdentity implements Identity {
  readonly remedy: string;
  readonly #options: OidcOptions;
  readonly #client: OidcClient;
  readonly #sessions: Sealed<Session>;
  readonly #begun: Sealed<Begun>;
  /** Sessions that were ended, until when they would have gone on. */
  readonly #ended = new Map<string, number>();
  readonly #isSecure: boolean;

  constructor(options: OidcOptions) {
    this.#options = options;
    this.#client = new OidcClient(options.oidc, {
      secret: options.secret,
      redirect: `${options.url}/sign-in/callback`,
    });
    this.#sessions = new Sealed(options.key, 'session');
    this.#begun = new Sealed(options.key, 'sign-in');
    this.#isSecure = options.url.startsWith('https:');
    this.remedy = `You sign in at ${new URL(options.oidc.issuer).host}.`;
  }

  async identify(request: IncomingMessage): Promise<Person | undefined> {
    const session = this.#sessionOf(request);
    return session && { name: session.name, groups: session.groups };
  }

  readonly elsewhere: SignInElsewhere = {
    begin: async (to) => {
      const { location, request } = await this.#client.begin();
      return {
        location,
        cookie: this.#cookie('sign-in', this.#begun.seal({ ...request, to }, SIGN_IN_MS), SIGN_IN_MS),
      };
    },
    finish: async (request, url) => {
      const begun = this.#begun.open(cookieOf(request, this.#nameOf('sign-in')) ?? '');
      if (!begun)
        throw new ProblemError(
          400,
          'This sign-in took longer than 10 minutes, or began in another browser.',
          'Sign in again. If that does not help, see that this browser takes cookies.',
        );
      const { oidc } = this.#options;
      const person = personOf(await this.#client.finish(url, begun), oidc);
      if (oidc.allowedGroups.length > 0 && !oidc.allowedGroups.some((group) => person.groups.includes(group)))
        throw new DeniedError(
          'NoRight',
          `${person.name} is in none of the groups that may use this console: ${oidc.allowedGroups.join(', ')}.`,
          { remedy: 'Ask who runs the console, or sign in as somebody else.' },
        );
      return { to: begun.to, cookie: this.#sessionCookie(person) };
    },
  };

  signOut(request: IncomingMessage): string {
    const session = this.#sessionOf(request);
    const now = Date.now();
    for (const [id, until] of this.#ended) if (until < now) this.#ended.delete(id);
    if (session) this.#ended.set(session.id, now + this.#options.oidc.sessionMs);
    return this.#cookie('session', '', 0);
  }

  #sessionOf(request: IncomingMessage): Session | undefined {
    const session = this.#sessions.open(cookieOf(request, this.#nameOf('session')) ?? '');
    return session && !this.#ended.has(session.id) ? session : undefined;
  }

  #sessionCookie(person: Person): string {
    const { sessionMs, groupsClaim } = this.#options.oidc;
    const cookie = this.#cookie(
      'session',
      this.#sessions.seal({ ...person, id: randomUUID() }, sessionMs),
      sessionMs,
    );
    if (cookie.length <= MOST_COOKIE) return cookie;
    throw new ProblemError(
      403,
      `The claim ${groupsClaim} of ${person.name} has ${person.groups.length} groups, more than a browser keeps.`,
      'Let the provider send only groups that rights in the cluster are bound to.',
    );
  }

  /** Browsers take one with `__Host-` only from this very host, by https. */
  #nameOf(what: 'session' | 'sign-in'): string {
    return `${this.#isSecure ? '__Host-' : ''}signalbox-${what}`;
  }

  /** Lax: the provider sends people back from its own pages. */
  #cookie(what: 'session' | 'sign-in', value: string, lifetimeMs: number): string {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;
    return `${this.#nameOf(what)}=${value}; ${attributes}${this.#isSecure ? '; Secure' : ''}`;
  }
}
