import { type ReflectorHandlers, reflect } from '../cluster/reflector.ts';
import { type JobResource, jobResourceOf } from '../contracts/job-resources.ts';
import {
  CONFIG_MAPS,
  type ConfigMap,
  type KubeObject,
  type Resource,
  streamOf,
} from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { ElectedTools } from '../elected/elected-process.ts';
import { FRAMEWORKS } from '../frameworks/kinds/registry.ts';
import { pause } from '../language/timers.ts';
import { type AnchoredJob, anchoredJob, withStatusOnly } from './anchored-job.ts';
import { bridgeMetrics } from './metrics.ts';
import { Reconciler } from './reconciler.ts';
import { resourceFacts } from './resource-facts.ts';
import { ResourceStore } from './resource-store.ts';
import { WorkQueue } from './work-queue.ts';

export interface BridgeTools extends ElectedTools {
  readonly taskQueue: string;
  /** Serves the resources of one namespace only. */
  readonly namespace?: string;
}

/** Resources that are worked on at once. */
const MOST = 32;
/** Anybody can write anchors of a MiB: a page must fit into memory all the same. */
const ANCHORS_PAGE = 100;
const COUNT_MS = 5_000;
/** Between looks whether the cluster serves a kind. */
const SERVED_MS = 10_000;

/** The work of the leader. Each term starts with an empty state. */
export class BridgeSession {
  readonly #tools: BridgeTools;
  readonly #signal: AbortSignal;
  readonly #store = new ResourceStore();
  readonly #reconciler: Reconciler;
  readonly #queue: WorkQueue;
  readonly #anchorsListed = Promise.withResolvers<void>();

  constructor(tools: BridgeTools, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#reconciler = new Reconciler({ ...tools, store: this.#store });
    const work = (uid: string) => this.#reconciler.reconcile(uid);
    this.#queue = new WorkQueue(work, { most: MOST, signal });
  }

  /** Returns when the signal aborts. Requests still in flight can do no harm. */
  async run(): Promise<void> {
    const counting = setInterval(() => this.#count(), COUNT_MS);
    const kinds = Map.groupBy(FRAMEWORKS.map(jobResourceOf), groupAndPlural);
    try {
      await Promise.all([
        this.#followAnchors(),
        ...[...kinds.values()].map((kind) => this.#followKind(kind)),
      ]);
    } finally {
      clearInterval(counting);
      bridgeMetrics.resources.set(0);
      bridgeMetrics.waiting.set(0);
    }
  }

  #followAnchors(): Promise<void> {
    const handlers: ReflectorHandlers<ConfigMap> = {
      replaced: (anchors) => {
        this.#store.replaceAnchors(anchors.map(anchoredJob));
        this.#anchorsListed.resolve();
        for (const uid of this.#store.uids()) this.#queue.add(uid);
      },
      changed: (anchor) => {
        const job = anchoredJob(anchor);
        this.#store.putAnchor(job);
        this.#addNamed(job);
      },
      deleted: (anchor) => {
        const job = anchoredJob(anchor);
        this.#store.removeAnchor(job);
        this.#addNamed(job);
      },
    };
    return this.#follow(CONFIG_MAPS, {
      ...{ labelSelector: LABELS.anchor, pageSize: ANCHORS_PAGE, trim: withStatusOnly, handlers },
    });
  }

  /** Whoever waits for the name may be next. */
  #addNamed(job: AnchoredJob): void {
    for (const uid of this.#store.named(job)) this.#queue.add(uid);
  }

  /** Follows a kind by the first of its versions that the cluster serves. */
  async #followKind(versions: readonly Resource<JobResource>[]): Promise<void> {
    await this.#anchorsListed.promise;
    const resource = await this.#untilServed(versions);
    if (!resource) return;
    const isOfKind = ({ kind, apiVersion }: Pick<JobResource, 'kind' | 'apiVersion'>) =>
      kind === resource.kind && groupOf(apiVersion) === groupOf(resource.apiVersion);
    const handlers: ReflectorHandlers<JobResource> = {
      replaced: (resources) => {
        const uids = this.#store.replaceKind(isOfKind, resources.map(resourceFacts));
        for (const uid of uids) this.#queue.add(uid);
      },
      changed: (one) => {
        const facts = resourceFacts(one);
        this.#store.put(facts);
        this.#queue.add(facts.uid);
      },
      deleted: ({ metadata }) => {
        const uid = metadata.uid ?? '';
        this.#store.remove(uid);
        this.#reconciler.forget(uid);
        const { namespace = '', name } = metadata;
        for (const other of this.#store.named({ namespace, name })) this.#queue.add(other);
      },
    };
    await this.#follow(resource, { handlers });
  }

  /** The definitions may be applied later. */
  async #untilServed(versions: readonly Resource<JobResource>[]): Promise<Resource<JobResource> | undefined> {
    const { cluster, readiness } = this.#tools;
    const stream = streamOf(versions[0]!);
    while (!this.#signal.aborted) {
      try {
        for (const version of versions) {
          if (!(await cluster.serves(version))) continue;
          readiness.impair(stream, undefined);
          return version;
        }
        readiness.impair(stream, 'the cluster does not serve it: `signalbox crds | kubectl apply -f -`');
      } catch (error) {
        readiness.impair(stream, error);
      }
      await pause(SERVED_MS, this.#signal);
    }
    return undefined;
  }

  async #follow<T extends KubeObject>(
    resource: Resource<T>,
    {
      handlers,
      labelSelector,
      ...how
    }: {
      readonly handlers: ReflectorHandlers<T>;
      readonly labelSelector?: string;
      readonly pageSize?: number;
      readonly trim?: (object: T) => T;
    },
  ): Promise<void> {
    const { cluster, namespace, readiness, log } = this.#tools;
    const stream = streamOf(resource);
    const isVital = resource.kind === CONFIG_MAPS.kind;
    if (isVital) readiness.set(stream, 'not listed yet');
    const noting: ReflectorHandlers<T> = {
      ...handlers,
      replaced: (objects, resourceVersion) => {
        log.debug({ resource: stream, objects: objects.length, resourceVersion }, 'listed');
        handlers.replaced(objects, resourceVersion);
        if (isVital) readiness.set(stream, undefined);
      },
      interrupted: (error) =>
        log.warn({ err: error, resource: stream }, 'a stream from the cluster was interrupted'),
    };
    const client = readiness.streams.clientFor(stream, cluster);
    await reflect(
      client,
      { resource, selection: { namespace, labelSelector }, ...how },
      noting,
      this.#signal,
    );
  }

  #count(): void {
    bridgeMetrics.resources.set(this.#store.size);
    bridgeMetrics.waiting.set(this.#queue.size);
  }
}

const groupOf = (apiVersion: string) => apiVersion.split('/')[0];

const groupAndPlural = ({ apiVersion, plural }: Resource) => `${groupOf(apiVersion)} ${plural}`;
