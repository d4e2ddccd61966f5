import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { asFields } from '../../language/fields.ts';
import { cookieOf } from '../http/forgery.ts';
import { answeredByCluster } from './answered-by-cluster.ts';
import type { Identity, Person } from './person.ts';
import { Remembered } from './remembered.ts';

const COOKIE = 'signalbox-session';
const TOKEN_REVIEWS = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};
/** So long a token that was taken back still counts. */
const KNOWN_MS = 60_000;
const UNKNOWN_MS = 5_000;
const MOST_SESSIONS = 10_000;

/**
 * People by tokens of the cluster: in the header of programs, or given once in a form. The browser keeps a random number for
 * it; the token stays in the memory of this process.
 */
export class TokenIdentity implements Identity {
  readonly remedy =
    'Sign in with a token of the cluster: `kubectl create token NAME`, or send it as `Authorization: Bearer`.';
  readonly #cluster: () => Promise<ClusterClient>;
  readonly #isSecure: boolean;
  readonly #people = new Remembered<Person | undefined>({ ms: (person) => (person ? KNOWN_MS : UNKNOWN_MS) });
  readonly #tokens = new Map<string, string>();

  constructor(cluster: () => Promise<ClusterClient>, { isSecure }: { readonly isSecure: boolean }) {
    this.#cluster = cluster;
    this.#isSecure = isSecure;
  }

  async identify(request: IncomingMessage): Promise<Person | undefined> {
    const [, bearer] = /^Bearer ([\w.~+/=-]{1,16384})$/i.exec(request.headers.authorization ?? '') ?? [];
    const session = cookieOf(request, COOKIE);
    const token = bearer ?? (session && this.#tokens.get(session));
    return token ? this.#personOf(token) : undefined;
  }

  async signIn(token: string): Promise<string | undefined> {
    if (!(await this.#personOf(token.trim()))) return undefined;
    const session = randomBytes(24).toString('base64url');
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= MOST_SESSIONS && oldest) this.#tokens.delete(oldest);
    this.#tokens.set(session, token.trim());
    return this.#cookie(session);
  }

  signOut(request: IncomingMessage): string {
    this.#tokens.delete(cookieOf(request, COOKIE) ?? '');
    return `${this.#cookie('')}; Max-Age=0`;
  }

  #cookie(value: string): string {
    return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict${this.#isSecure ? '; Secure' : ''}`;
  }

  #personOf(token: string): Promise<Person | undefined> {
    const key = createHash('sha256').update(token).digest('base64');
    return this.#people.get(key, () =>
      answeredByCluster('token', async () => {
        const cluster = await this.#cluster();
        const review = await cluster.create<KubeObject>(TOKEN_REVIEWS, {
          ...{ apiVersion: TOKEN_REVIEWS.apiVersion, kind: TOKEN_REVIEWS.kind, metadata: { name: '' } },
          spec: { token },
        });
        const { authenticated, user } = asFields(review.status);
        const { username, groups } = asFields(user);
        if (authenticated !== true || typeof username !== 'string') return undefined;
        return { name: username, groups: Array.isArray(groups) ? groups.map(String) : [] };
      }),
    );
  }
}
