import { ConnectionError } from '../../cluster/errors.ts';
import type { Requests } from '../../cluster/transport.ts';
import { type ApiRequest, type ModelApiServer, refusing } from './api-server.ts';
import { targetOf } from './api-target.ts';
import type { ModelLogs } from './logs.ts';
import type { ModelProcess } from './process.ts';
import type { Step } from './step.ts';
import { LogStream, type Stream } from './stream.ts';
import { Watch } from './watch.ts';

/** In which way a watcher goes blind for one kind of objects. */
export const WAYS = ['forbidden', 'dead connection', '410 storm', 'slow list'] as const;

export type WayToGoBlind = (typeof WAYS)[number];

interface Pending extends ApiRequest {
  readonly process: ModelProcess;
  /** Runs just before a write is sent. */
  readonly check?: () => void;
  readonly plural: string;
  answer(value: unknown): void;
  fail(error: unknown): void;
  /** Nobody waits for the answer any more; the server may still carry it out. */
  isGivenUp: boolean;
}

const ANSWER_MS = 30_000;

type Fence = () => Promise<() => void>;

/** What lies between processes and the API server: requests and streams arrive when the simulation says so. */
export class ApiNetwork {
  readonly server: ModelApiServer;
  readonly #logs: ModelLogs;
  readonly #pending = new Set<Pending>();
  readonly #streams = new Set<Stream>();
  /** Of watchers, by kind of objects. */
  readonly #blind = new Map<string, WayToGoBlind>();

  constructor(server: ModelApiServer, logs: ModelLogs) {
    this.server = server;
    this.#logs = logs;
    server.onChange = (change) => {
      for (const stream of this.#streams) if (stream instanceof Watch) stream.notify(change);
    };
  }

  /** The transport of one process. */
  connect(process: ModelProcess, fence?: Fence): Requests {
    return {
      json: async <R>(
        method: string,
        path: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<R> => {
        const check = method === 'GET' ? undefined : await fence?.();
        // What is sent is a copy.
        const sent = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
        const request = { method, path, body: sent, patchType: headers['content-type'] };
        return (await this.#send(process, { ...request, check })) as R;
      },
      stream: async (path, how) => {
        const opened = (await this.#send(process, { method: 'GET', path })) as Stream;
        return opened.read(how.signal as AbortSignal | undefined);
      },
      close: async () => undefined,
    };
  }

  blind(plural: string, way: WayToGoBlind): void {
    this.#blind.set(plural, way);
    for (const stream of this.#streams) {
      if (!(stream instanceof Watch) || stream.plural !== plural || stream.process.kind !== 'watcher')
        continue;
      if (way === 'dead connection') stream.isSilent = true;
      else stream.fail(new ConnectionError(`GET ${plural}`, new Error('cut')));
    }
  }

  heal(): void {
    this.#blind.clear();
  }

  get isBlind(): boolean {
    return this.#blind.size > 0;
  }

  /** Watches that start from earlier are answered with 410. */
  compact(): void {
    this.server.compactedTo = this.server.resourceVersion;
  }

  /** What can arrive next. */
  steps(): Step[] {
    const requests = [...this.#pending]
      .filter((request) => this.#arrives(request))
      .map((request) => ({ does: describe(request), run: () => this.serve(request) }));
    const streams = [...this.#streams]
      .filter((stream) => stream.hasNews && stream.process.isRunning)
      .map((stream) => ({
        does: `${stream.process.name} reads ${stream.name}`,
        run: () => stream.deliver(),
      }));
    return [...requests, ...streams];
  }

  /** The answer to one request is lost, after it was carried out. */
  loseAnswer(which: number): string | undefined {
    const arriving = [...this.#pending].filter((request) => this.#arrives(request));
    const request = arriving[which % Math.max(1, arriving.length)];
    if (!request) return undefined;
    this.serve(request, true);
    return describe(request);
  }

  /** A killed process: some of what it has sent is still carried out. */
  cut(process: ModelProcess, random: () => number): void {
    for (const request of this.#pending) {
      if (request.process !== process) continue;
      if (request.method === 'GET' || random() < 0.5) this.#pending.delete(request);
      else request.isGivenUp = true;
    }
    for (const stream of this.#streams) if (stream.process === process) this.#streams.delete(stream);
  }

  /** Carries out what nobody waits for any more. Returns whether there was anything. */
  finishGivenUp(): boolean {
    const givenUp = [...this.#pending].filter((request) => request.isGivenUp);
    for (const request of givenUp) this.serve(request);
    return givenUp.length > 0;
  }

  serve(request: Pending, isLost = false): void {
    if (!this.#pending.delete(request)) return;
    try {
      if (!request.isGivenUp) request.check?.();
      const answer = this.#answer(request);
      if (isLost) request.fail(new ConnectionError(describe(request), new Error('connection reset')));
      else request.answer(answer);
    } catch (error) {
      request.fail(error);
    }
  }

  /** A paused process has not sent what it has not sent. */
  #arrives({ process, isGivenUp, plural, path }: Pending): boolean {
    if (isGivenUp) return true;
    if (!process.isRunning) return false;
    const way = process.kind === 'watcher' ? this.#blind.get(plural) : undefined;
    return way !== 'slow list' || path.includes('/log');
  }

  #answer(request: Pending): unknown {
    const { process, method, path, plural } = request;
    const way = process.kind === 'watcher' ? this.#blind.get(plural) : undefined;
    const refuse = refusing(`${method} ${path}`);
    if (way === 'forbidden') throw refuse(403, 'Forbidden', 'forbidden by the simulation');
    if (path.includes('/log')) return this.#openLog(process, path);
    if (!path.includes('watch=true')) return this.server.answer(request);
    const { query, namespace } = targetOf(path);
    const from = Number(query.get('resourceVersion'));
    if (way === '410 storm' || from < this.server.compactedTo)
      throw refuse(410, 'Expired', 'too old resource version');
    const watch = new Watch({ process, plural, namespace, query }, (stream) => this.#streams.delete(stream));
    if (way === 'dead connection') watch.isSilent = true;
    this.#streams.add(watch);
    for (const change of this.server.changes) if (change.resourceVersion > from) watch.notify(change);
    watch.keepAlive(() => this.server.resourceVersion);
    return watch;
  }

  #openLog(process: ModelProcess, path: string): Stream {
    const target = targetOf(path);
    const refuse = refusing(`GET ${path}`);
    const pod = this.server.find('pods', target.namespace, target.name!);
    if (!pod) throw refuse(404, 'NotFound', 'no such pod');
    const log = new LogStream(process, (stream) => this.#streams.delete(stream));
    this.#streams.add(log);
    this.#logs.open(pod, target.query, log);
    return log;
  }

  #send(process: ModelProcess, request: ApiRequest & { readonly check?: () => void }): Promise<unknown> {
    // A process that was killed gets nowhere.
    if (process.isDead) return new Promise(() => undefined);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const over = setTimeout(() => {
      pending.isGivenUp = true;
      reject(new ConnectionError(`${request.method} ${request.path}`, new Error('timeout')));
    }, ANSWER_MS);
    const pending: Pending = {
      ...request,
      process,
      plural: targetOf(request.path).plural,
      isGivenUp: false,
      answer: (value) => {
        clearTimeout(over);
        resolve(value);
      },
      fail: (error) => {
        clearTimeout(over);
        reject(error as Error);
      },
    };
    this.#pending.add(pending);
    return promise;
  }
}

const describe = ({ process, method, path }: Pick<Pending, 'process' | 'method' | 'path'>) =>
  `${process.name}: ${method} ${path}`;
