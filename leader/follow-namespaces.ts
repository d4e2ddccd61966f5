import type { ListSource } from '../cluster/list-all.ts';
import { type ReflectorHandlers, reflect } from '../cluster/reflector.ts';
import { type KubeObject, streamOf } from '../contracts/kubernetes.ts';
import { eachServed, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import { errorMessage } from '../language/error-message.ts';
import type { LeaderTools } from './leader-process.ts';
import { isVital, type Readiness } from './readiness.ts';

interface FollowTools extends Pick<LeaderTools, 'cluster' | 'readiness' | 'log'> {
  readonly namespaces: ServedNamespaces;
}

interface Followed<T extends KubeObject, Kept>
  extends Pick<ListSource<T, Kept>, 'resource' | 'metadataOnly' | 'pageSize' | 'trim'> {
  readonly labelSelector?: string;
  /** Returns what stores the objects of a namespace; without one, those of all. */
  readonly handlersIn: (namespace: string | undefined) => ReflectorHandlers<Kept>;
  /** Called once, when the objects were listed: in each namespace, as far as it can be read. */
  readonly onListed?: () => void;
}

/** Follows the objects of a kind in each served namespace until the signal aborts, with a stream for each. */
export async function followNamespaces<T extends KubeObject, Kept = T>(
  { cluster, namespaces, readiness, log }: FollowTools,
  { resource, labelSelector, handlersIn, onListed = () => undefined, ...how }: Followed<T, Kept>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const served = eachServed(namespaces);
  const streams = served.map((namespace) => streamOf(resource, namespace));
  const lists = new FirstLists(streams, { readiness, onListed });
  const follow = (namespace: string | undefined): Promise<void> => {
    const stream = streamOf(resource, namespace);
    const handlers = handlersIn(namespace);
    const noting = { ...handlers } as ReflectorHandlers<Kept>;
    noting.replaced = (objects, resourceVersion) => {
      log.debug({ resource: stream, objects: objects.length, resourceVersion }, 'listed');
      handlers.replaced(objects, resourceVersion);
      lists.listed(stream);
    };
    noting.interrupted = (error) => {
      // It is among what impairs this process, and in the metrics.
      const level = lists.hasGivenUp(stream) ? 'debug' : 'warn';
      lists.failed(stream, error);
      log[level]({ err: error, resource: stream }, 'a stream from the cluster was interrupted');
    };
    const client = readiness.streams.clientFor(stream, cluster);
    return reflect(client, { resource, selection: { namespace, labelSelector }, ...how }, noting, signal);
  };
  await Promise.all(served.map(follow));
}

/**
 * Failures in a row (about two seconds) after which the other namespaces do not wait for one. An API server that has just
 * started may forbid for a moment what it allows.
 */
const TRIES = 5;

/**
 * Which streams of a kind were listed at least once. One that cannot be, because a namespace is missing or gives no rights,
 * holds up no other: the process runs without it, says so, and takes it in when it can be listed.
 */
class FirstLists {
  readonly #tools: { readonly readiness: Readiness; readonly onListed: () => void };
  /** Those that were not listed yet, with their failures. */
  readonly #unlisted: Map<string, { failures: number; error?: unknown }>;
  readonly #count: number;
  #isAnswered = false;

  constructor(
    streams: readonly string[],
    tools: { readonly readiness: Readiness; readonly onListed: () => void },
  ) {
    this.#tools = tools;
    this.#unlisted = new Map(streams.map((stream) => [stream, { failures: 0 }]));
    this.#count = streams.length;
    this.#show();
  }

  listed(stream: string): void {
    if (!this.#unlisted.delete(stream)) return;
    const { readiness } = this.#tools;
    readiness.set(stream, undefined);
    readiness.impair(stream, undefined);
    this.#show();
  }

  failed(stream: string, error: unknown): void {
    const unlisted = this.#unlisted.get(stream);
    if (!unlisted) return;
    unlisted.failures++;
    unlisted.error = error;
    this.#show();
  }

  hasGivenUp(stream: string): boolean {
    const isAnyListed = this.#unlisted.size < this.#count;
    return isAnyListed && (this.#unlisted.get(stream)?.failures ?? 0) >= TRIES;
  }

  #show(): void {
    const { readiness, onListed } = this.#tools;
    for (const [stream, { error = 'not listed yet' }] of this.#unlisted) {
      const isGivenUp = this.hasGivenUp(stream);
      if (isVital(stream)) readiness.set(stream, isGivenUp ? undefined : error);
      readiness.impair(stream, isGivenUp ? `${errorMessage(error)}; its jobs are not followed` : undefined);
    }
    const isAwaited = [...this.#unlisted.keys()].some((stream) => !this.hasGivenUp(stream));
    if (isAwaited || this.#isAnswered) return;
    this.#isAnswered = true;
    onListed();
  }
}
