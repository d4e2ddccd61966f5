import { ApiError } from '../cluster/errors.ts';
import type { ReflectorHandlers } from '../cluster/reflector.ts';
import type { JobResource } from '../contracts/job-resources.ts';
import {
  apiGroupOf,
  CONFIG_MAPS,
  type KubeObject,
  type Resource,
  streamOf,
} from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { ServedNamespaces } from '../contracts/served-namespaces.ts';
import type { BridgeTakes } from '../contracts/settings.ts';
import type { OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import type { RequestObjects } from '../frameworks/model/resource-customs.ts';
import { pause } from '../language/timers.ts';
import { followNamespaces } from '../leader/follow-namespaces.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import { type AnchoredJob, anchoredJob } from './anchored-job.ts';
import { findOriginalOperators } from './find-operators.ts';
import { KINDS_WITH_VERSIONS } from './job-kinds.ts';
import { bridgeMetrics } from './metrics.ts';
import { Reconciler } from './reconciler.ts';
import { followRequests, KINDS_OF_REQUESTS } from './requests.ts';
import { type ResourceFacts, resourceFacts } from './resource-facts.ts';
import { ResourceStore } from './resource-store.ts';
import { WorkQueue } from './work-queue.ts';

interface BridgeTools extends LeaderTools {
  readonly taskQueue: string;
  readonly takes: BridgeTakes;
  /** Serves the resources of these namespaces only. */
  readonly namespaces?: ServedNamespaces;
}

/** Resources that are worked on at once. */
const MOST = 32;
/** Any user can write anchors and resources of a MiB: a page must fit into memory all the same. */
const PAGE = 100;
const COUNT_MS = 5_000;
/** Between looks for other operators. */
const OPERATORS_MS = 5_000;
/** Between looks whether the cluster serves a kind. */
const SERVED_MS = 3_000;

/** The work of the leader. Each leadership starts with an empty state. */
export class BridgeSession {
  readonly #tools: BridgeTools;
  readonly #signal: AbortSignal;
  readonly #store = new ResourceStore();
  readonly #reconciler: Reconciler;
  readonly #queue: WorkQueue;
  readonly #anchorsListed = Promise.withResolvers<void>();
  readonly #operatorsKnown = Promise.withResolvers<void>();
  #operators: readonly OriginalOperator[] = [];

  constructor(tools: BridgeTools, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#reconciler = new Reconciler({
      ...tools,
      store: this.#store,
      operators: () => this.#operators,
    });
    const work = (uid: string) => this.#reconciler.reconcile(uid);
    this.#queue = new WorkQueue(work, { most: MOST, signal });
  }

  /** Returns when the signal aborts. Requests still in flight can do no harm. */
  async run(): Promise<void> {
    const counting = setInterval(() => this.#count(), COUNT_MS);
    try {
      await Promise.all([
        this.#followAnchors(),
        this.#followOperators(),
        ...KINDS_WITH_VERSIONS.map((versions) => this.#followKind(versions)),
        ...KINDS_OF_REQUESTS.map((requests) => this.#followRequests(requests)),
      ]);
    } finally {
      clearInterval(counting);
      bridgeMetrics.resources.set(0);
      bridgeMetrics.waiting.set(0);
    }
  }

  /** No job is started before it is known who else would run it. What one operator let go is looked at again. */
  async #followOperators(): Promise<void> {
    const { cluster, readiness, log } = this.#tools;
    while (!this.#signal.aborted) {
      try {
        const found = await findOriginalOperators(cluster);
        const isNews = JSON.stringify(found) !== JSON.stringify(this.#operators);
        this.#operators = found;
        if (isNews) {
          log.warn({ operators: found }, 'other operators that run have changed');
          for (const uid of this.#store.uids()) this.#queue.add(uid);
        }
        readiness.impair(OPERATORS, found.length > 0 ? textOfOperators(found) : undefined);
        this.#operatorsKnown.resolve();
      } catch (error) {
        readiness.impair(OPERATORS, error);
        // Rights in some namespaces only: the administrator has to know.
        if (error instanceof ApiError && error.status === 403) this.#operatorsKnown.resolve();
      }
      await pause(OPERATORS_MS, this.#signal);
    }
    this.#operatorsKnown.resolve();
  }

  #followAnchors(): Promise<void> {
    const handlersIn = (namespace?: string): ReflectorHandlers<AnchoredJob> => ({
      replaced: (jobs) => {
        this.#store.replaceAnchors(jobs, namespace);
        for (const uid of this.#store.uids()) this.#queue.add(uid);
      },
      changed: (job) => {
        this.#store.putAnchor(job);
        this.#addNamed(job);
      },
      deleted: (job) => {
        this.#store.removeAnchor(job);
        this.#addNamed(job);
      },
    });
    const onListed = () => this.#anchorsListed.resolve();
    const how = { labelSelector: LABELS.anchor, pageSize: PAGE, trim: anchoredJob };
    return this.#follow({ resource: CONFIG_MAPS, ...how, handlersIn, onListed });
  }

  /** A resource that waits for the name may be next. */
  #addNamed(one: AnchoredJob | ResourceFacts): void {
    for (const uid of this.#store.named(one)) this.#queue.add(uid);
  }

  /** Follows a kind by the first of its versions that the cluster serves. */
  async #followKind(versions: readonly Resource<JobResource>[]): Promise<void> {
    await Promise.all([this.#anchorsListed.promise, this.#operatorsKnown.promise]);
    const resource = await this.#untilServed(versions);
    if (!resource) return;
    const isOfKind = ({ kind, apiVersion }: Pick<JobResource, 'kind' | 'apiVersion'>) =>
      kind === resource.kind && apiGroupOf(apiVersion) === apiGroupOf(resource.apiVersion);
    const handlersIn = (namespace?: string): ReflectorHandlers<ResourceFacts> => ({
      replaced: (resources) => {
        const isListed = (one: ResourceFacts) =>
          isOfKind(one) && (namespace === undefined || one.namespace === namespace);
        const uids = this.#store.replaceListed(isListed, resources);
        for (const uid of uids) this.#queue.add(uid);
      },
      changed: (one) => {
        this.#store.put(one);
        this.#queue.add(one.uid);
      },
      deleted: (one) => {
        this.#store.remove(one.uid);
        this.#reconciler.forget(one.uid);
        this.#addNamed(one);
      },
    });
    await this.#follow({ resource, pageSize: PAGE, trim: resourceFacts, handlersIn });
  }

  #followRequests(requests: RequestObjects): Promise<void> {
    return followRequests(requests, { ...this.#tools, store: this.#store }, this.#signal);
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

  #follow<T extends KubeObject, Kept>(
    followed: Parameters<typeof followNamespaces<T, Kept>>[1],
  ): Promise<void> {
    const { namespaces } = this.#tools;
    return followNamespaces({ ...this.#tools, namespaces }, followed, this.#signal);
  }

  #count(): void {
    bridgeMetrics.resources.set(this.#store.size);
    bridgeMetrics.waiting.set(this.#queue.size);
  }
}

/** What a bridge is impaired by. */
const OPERATORS = 'original operators';

const textOfOperators = (operators: readonly OriginalOperator[]) =>
  operators
    .map(({ name, found, kinds }) => `${name} runs (${found}); its jobs are left to it: ${kinds.join(', ')}`)
    .join('; ');
