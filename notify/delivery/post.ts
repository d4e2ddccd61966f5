import { Agent } from 'undici';
import { errorMessage } from '../../language/error-message.ts';
import { truncate } from '../../language/shorten.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Reachable, ReachableAddresses } from './reachable.ts';
import { saidBy, secretsOf } from './said.ts';

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly method?: 'POST' | 'OPTIONS';
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Its beginning, without secrets. */
  readonly said: string;
}

/** Of a message to a chat. */
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

const ANSWER_MS = 20_000;
const MOST_BODY = 2_000;
/** Of public receivers; an allowed network may have others. */
const PUBLIC_PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);

/**
 * Sends a request to a receiver: only to addresses that may be reached, without following redirects, and not for longer
 * than some seconds. Throws `DeliveryError` if it is not taken.
 */
export async function post(
  { url: text, headers, body, method = 'POST' }: Post,
  reachable: ReachableAddresses,
): Promise<Answer> {
  const url = new URL(text);
  const places = await reachable.find(url.hostname).catch(failedAs(`cannot reach ${url.host}`));
  checkKind(url, places);
  const agent = new Agent({ connect: { lookup: fixedLookup(places) }, connections: 1 });
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { origin, pathname, search } = url;
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers,
      body,
      signal,
    });
    return checked(url, {
      status: answer.statusCode,
      headers: answer.headers,
      said: saidBy(await beginningOf(answer.body), secretsOf(url, headers)),
    });
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    throw failedAs(`${url.host} did not answer`)(error);
  } finally {
    await agent.destroy();
  }
}

/** What is not public may speak plain HTTP, and listen anywhere. */
function checkKind({ protocol, port, host }: URL, places: readonly Reachable[]): void {
  if (places.every(({ isAllowed }) => isAllowed)) return;
  if (protocol !== 'https:')
    throw new DeliveryError(
      `${host} would be reached by ${protocol.slice(0, -1)}: a public receiver needs https`,
    );
  if (!PUBLIC_PORTS.has(port))
    throw new DeliveryError(`${host} has the port ${port}: a public receiver needs 443 or 8443`);
}

type Lookup =
  NonNullable<NonNullable<ConstructorParameters<typeof Agent>[0]>['connect']> extends infer C
    ? C extends { lookup?: infer L }
      ? NonNullable<L>
      : never
    : never;

/** Whatever a name server says now: only these were checked. */
const fixedLookup = (places: readonly Reachable[]): Lookup =>
  ((_host: string, options: { readonly all?: boolean }, callback: (...answer: unknown[]) => void) => {
    const [first] = places;
    if (options.all)
      callback(
        null,
        places.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, first!.address, first!.family);
  }) as Lookup;

/** Reads no more than is shown: what a receiver answers may have no end. */
async function beginningOf(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MOST_BODY) break;
  }
  return truncate(Buffer.concat(chunks).toString('utf8'), MOST_BODY);
}

function checked({ host }: URL, answer: Answer): Answer {
  const { status, headers, said } = answer;
  if (status >= 200 && status < 300) return answer;
  const isRedirect = status >= 300 && status < 400;
  const what = isRedirect
    ? `redirects (${status}), which is not followed`
    : `answered ${status}${said === '' ? '' : `: ${said}`}`;
  throw new DeliveryError(`${host} ${what}`, {
    isFinal: REFUSES_MESSAGE.has(status),
    retryAfterMs: retryAfter(headers['retry-after']),
  });
}

/** The message itself is not wanted, or cannot be understood. A wrong address or token is mended by people. */
const REFUSES_MESSAGE: ReadonlySet<number> = new Set([400, 405, 406, 410, 411, 413, 415, 422]);

const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Seconds, or a date. */
function retryAfter(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : undefined;
}

const failedAs = (what: string) => (cause: unknown) => {
  throw new DeliveryError(`${what}: ${errorMessage(cause)}`, { cause });
};
