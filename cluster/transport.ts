import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { isAbortError } from '../language/error-code.ts';
import { asError } from '../language/error-message.ts';
import { checking } from './checked-dispatch.ts';
import { ConnectionError, FencedError } from './errors.ts';
import type { ClusterAccess, Tls } from './kubeconfig.ts';
import { ServerClock } from './server-clock.ts';
import { chunksOf, connectionLost, refusal, warningsIn } from './wire.ts';

/** Called before each write. Returns a check that runs just before the write is sent. Both may throw a FencedError. */
export type Fence = () => Promise<() => void>;

export interface TransportOptions {
  /** Requests at once; default: 32. */
  readonly connections?: number;
  readonly fence?: Fence;
}

interface SendOptions extends Partial<Dispatcher.RequestOptions> {
  readonly dispatcher: Dispatcher;
  readonly warned?: (warnings: readonly string[]) => void;
}

const ANSWER_MS = 30_000;

/** Sends requests to an API server. */
export type Requests = Pick<Transport, 'json' | 'stream' | 'close'> & Partial<Pick<Transport, 'clock'>>;

/** Sends requests to an API server over kept-alive connections. */
export class Transport {
  readonly clock = new ServerClock();
  readonly #access: ClusterAccess;
  readonly #pool: Dispatcher;
  readonly #streams: Dispatcher;
  readonly #fence: Fence | undefined;

  constructor(access: ClusterAccess, { connections = 32, fence }: TransportOptions) {
    this.#access = access;
    this.#fence = fence;
    this.#pool = openAgent(access, { connections, keepAliveTimeout: 60_000 });
    this.#streams = openAgent(access, { headersTimeout: ANSWER_MS, bodyTimeout: 0 });
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#streams.destroy()]);
  }

  /** Requests a JSON answer. `warned` is called with the server's warnings, also if it refuses. */
  async json<R>(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    warned?: (warnings: readonly string[]) => void,
  ): Promise<R> {
    const answer = await this.#send(method, path, {
      dispatcher: this.#pool,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      // A DELETE has a body here. undici would close its connection, because other servers may leave that unread.
      reset: false,
      warned,
    });
    return (await answer.body.json().catch(connectionLost(`${method} ${path}`))) as R;
  }

  /** Requests an answer of any length. */
  async stream(
    path: string,
    how: Pick<Dispatcher.RequestOptions, 'signal' | 'bodyTimeout' | 'headers'>,
  ): Promise<AsyncIterable<Buffer>> {
    const answer = await this.#send('GET', path, { dispatcher: this.#streams, ...how });
    return chunksOf(answer.body, `GET ${path}`);
  }

  async #send(
    method: Dispatcher.HttpMethod,
    path: string,
    { warned, dispatcher: open, ...options }: SendOptions,
  ): Promise<Dispatcher.ResponseData> {
    const headers = {
      accept: 'application/json',
      ...(options.headers as object),
      ...(await this.#access.headers()),
    };
    const check = method === 'GET' ? undefined : await this.#fence?.();
    const dispatcher = check ? checking(open, check) : open;
    let answer: Dispatcher.ResponseData;
    const { origin, pathname, search } = new URL(this.#access.server + path);
    const begunAt = this.clock.begin();
    try {
      answer = await dispatcher.request({ ...options, origin, path: pathname + search, method, headers });
    } catch (cause) {
      if (isAbortError(cause) || cause instanceof FencedError) throw cause;
      throw new ConnectionError(`${method} ${path}`, cause);
    }
    this.clock.note(answer.headers.date, begunAt);
    warned?.(warningsIn(answer.headers.warning));
    if (answer.statusCode >= 300) throw await refusal(`${method} ${path}`, answer);
    return answer;
  }
}

// With HTTP/2 many requests share a connection. If it dies silently, all of them wait: once for an answer, and again for
// undici's check of the connection.
const HTTP_1 = { allowH2: false } as const;
const CONNECT = { ...HTTP_1, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000 } as const;

/** Opens HTTP/1.1 connections to an API server, through the proxy if the kubeconfig names one. */
function openAgent(access: ClusterAccess, options: Omit<Agent.Options, 'connect'>): Dispatcher {
  const { proxy } = access;
  if (!proxy) return new Agent({ ...options, ...HTTP_1, connect: connector(access) });
  return new ProxyAgent({ ...options, ...HTTP_1, uri: proxy.url, requestTls: { ...proxy.tls, ...CONNECT } });
}

/** Reads the certificates for each connection. TLS sessions are resumed while these stay the same. */
function connector({ tls }: ClusterAccess): buildConnector.connector {
  let last: { readonly tls: Tls; readonly connect: buildConnector.connector } | undefined;
  const current = async () => {
    const now = await tls();
    if (!last || !isDeepStrictEqual(last.tls, now)) {
      // Otherwise each connection would parse the certificates.
      const secureContext = createSecureContext(now);
      last = { tls: now, connect: buildConnector({ ...now, secureContext, ...CONNECT }) };
    }
    return last;
  };
  return (options, callback) => {
    current().then(
      (found) => {
        const servername = found.tls.servername ?? options.servername;
        found.connect({ ...options, servername }, callback);
      },
      (error) => callback(asError(error), null),
    );
  };
}
