import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { type ReflectorHandlers, reflect } from '../cluster/reflector.ts';
import { CONFIG_MAPS, type KubeObject, PODS, type Resource } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangAdapter } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { followNodes } from './follow-nodes.ts';
import type { JobBook } from './job-book.ts';
import { trimPod } from './pod-facts.ts';
import type { Readiness } from './readiness.ts';

export interface StreamTools {
  readonly cluster: ClusterClient;
  readonly namespace?: string;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** How often to ask whether the cluster has begun to serve PodGroups. */
const LOOK_FOR_GROUPS_MS = 300_000;

/** A scheduler that has groups. */
type Gang = GangAdapter & Required<Pick<GangAdapter, 'resource'>>;

const GANGS = Object.values(GANG_ADAPTERS).filter(
  (adapter): adapter is Gang => adapter.resource !== undefined,
);

/** All that the leader reads from the cluster goes into its book. */
export class Streams {
  readonly #tools: StreamTools;
  readonly #book: JobBook;
  readonly #signal: AbortSignal;
  readonly #unlisted = new Set<string>();
  readonly #listed = Promise.withResolvers<void>();
  readonly #nodesAnswered = Promise.withResolvers<void>();

  constructor(tools: StreamTools, book: JobBook, signal: AbortSignal) {
    this.#tools = tools;
    this.#book = book;
    this.#signal = signal;
  }

  /** The picture is complete: what is needed was listed, and nodes too if they may be. Never, if the term ends first. */
  async listed(): Promise<void> {
    await this.#listed.promise;
    await this.#nodesAnswered.promise;
  }

  /** Which groups there are is asked first: a digest without them is wrong where they exist. */
  async followAll(): Promise<Promise<void>[]> {
    const served = await Promise.all(GANGS.map(async (gang) => [gang, await this.#isServed(gang)] as const));
    return [
      this.#follow(CONFIG_MAPS, LABELS.anchor, { handlers: this.#book.anchors }),
      this.#follow(PODS, LABELS.job, { handlers: this.#book.pods, trim: trimPod }),
      ...served.map(([gang, isServed]) => (isServed ? this.#followGroups(gang) : this.#awaitGroups(gang))),
      this.#followNodes(),
    ];
  }

  /** After the pods: a node that a pod is bound to, and that is not there when nodes are listed, is gone. */
  async #followNodes(): Promise<void> {
    await Promise.race([this.#listed.promise, aborted(this.#signal)]);
    const answered = () => this.#nodesAnswered.resolve();
    await followNodes(this.#tools, { book: this.#book.nodes, answered }, this.#signal);
  }

  /** Undefined once the term is over. */
  async #isServed({ resource }: Gang): Promise<boolean | undefined> {
    while (!this.#signal.aborted) {
      try {
        const served = await this.#tools.cluster.serves(resource);
        this.#tools.readiness.set('discovery', undefined);
        return served;
      } catch (error) {
        this.#tools.readiness.set('discovery', error);
        await delay(1_000, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #awaitGroups(gang: Gang): Promise<void> {
    while (!this.#signal.aborted) {
      await delay(LOOK_FOR_GROUPS_MS, undefined, { signal: this.#signal }).catch(() => undefined);
      if (!this.#signal.aborted && (await this.#isServed(gang))) return this.#followGroups(gang);
    }
  }

  #followGroups = (gang: Gang) =>
    this.#follow(gang.resource, LABELS.job, { handlers: this.#book.groupsOf(gang) });

  async #follow<T extends KubeObject>(
    resource: Resource<T>,
    labelSelector: string,
    { handlers, trim }: { handlers: ReflectorHandlers<T>; trim?: (object: T) => T },
  ): Promise<void> {
    const { cluster, namespace, readiness, log } = this.#tools;
    if (this.#signal.aborted) return;
    const stream = `${resource.apiVersion}/${resource.plural}`;
    this.#unlisted.add(stream);
    readiness.set(stream, 'not listed yet');
    const told = { ...handlers } as ReflectorHandlers<T>;
    told.replaced = (objects, revision) => {
      log.debug({ resource: stream, objects: objects.length, revision }, 'listed');
      handlers.replaced(objects, revision);
      readiness.set(stream, undefined);
      this.#unlisted.delete(stream);
      if (this.#unlisted.size === 0) this.#listed.resolve();
    };
    told.interrupted = (error) => {
      if (this.#unlisted.has(stream)) readiness.set(stream, error);
      log.warn({ err: error, resource: stream }, 'a stream from the cluster was interrupted');
    };
    await reflect(cluster, { resource, selection: { namespace, labelSelector }, trim }, told, this.#signal);
  }
}

export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
