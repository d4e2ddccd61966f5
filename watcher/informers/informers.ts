import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import type { ListSource } from '../../cluster/list-all.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import type { Home } from '../../contracts/home.ts';
import {
  CONFIG_MAPS,
  type ConfigMap,
  type KubeObject,
  PODS,
  type Resource,
  streamOf,
} from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { Readiness } from '../../elected/readiness.ts';
import { whenAborted } from '../../language/when-aborted.ts';
import { type AnchorFacts, trimAnchor } from '../anchors/anchor-facts.ts';
import { type AnchorNotes, ownAnchors } from '../anchors/own-anchors.ts';
import { GROUP_ADAPTERS, type GroupAdapter } from '../groups/group-adapters.ts';
import { trimPod } from '../pods/pod-facts.ts';
import type { JobStore } from '../store/job-store.ts';
import { followGroups } from './group-informer.ts';
import { followNodes } from './node-informer.ts';

export interface InformerOptions {
  readonly cluster: ClusterClient;
  readonly home: Home;
  /** Called for each anchor of another installation. */
  readonly noteForeign: (anchor: AnchorFacts) => void;
  readonly unusable: AnchorNotes;
  readonly edited: { note(anchor: ConfigMap['metadata']): void };
  readonly namespace?: string;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** Follows everything that the leader reads from the cluster, and stores it in the job store. */
export class Informers {
  readonly #tools: InformerOptions;
  readonly #jobs: JobStore;
  readonly #signal: AbortSignal;
  readonly #unlisted = new Set<string>();
  readonly #listed = Promise.withResolvers<void>();
  readonly #groupsAnswered = GROUP_ADAPTERS.map((gang) => ({ gang, ...Promise.withResolvers<void>() }));
  readonly #nodesAnswered = Promise.withResolvers<void>();

  constructor(tools: InformerOptions, jobs: JobStore, signal: AbortSignal) {
    this.#tools = tools;
    this.#jobs = jobs;
    this.#signal = signal;
  }

  /**
   * Resolves when anchors and pods were listed, and groups and nodes as far as possible. Never resolves if the term
   * ends first.
   */
  async listed(): Promise<void> {
    await this.#listed.promise;
    await Promise.all(this.#groupsAnswered.map(({ promise }) => promise));
    await this.#nodesAnswered.promise;
  }

  followAll(): Promise<void>[] {
    return [
      this.#follow(CONFIG_MAPS, LABELS.anchor, {
        handlers: ownAnchors(this.#jobs.anchors, this.#tools.home, {
          ownerOf: (anchor) => this.#jobs.knownOf(anchor),
          edited: ({ metadata }) => this.#tools.edited.note(metadata),
          foreign: this.#tools.noteForeign,
          unusable: this.#tools.unusable,
        }),
        // Anchors of ended jobs remain until they expire, and each may hold up to 1 MiB of data.
        metadataOnly: true,
        // Anybody can write anchors with 256 KiB of annotations: a page must fit into memory all the same.
        pageSize: 100,
        trim: trimAnchor,
      }),
      this.#follow(PODS, LABELS.job, { handlers: this.#jobs.pods, trim: trimPod }),
      ...this.#groupsAnswered.map(({ gang, resolve }) => this.#followGroups(gang, resolve)),
      this.#followNodes(),
    ];
  }

  #followGroups = (gang: GroupAdapter, onListed: () => void) =>
    followGroups(this.#tools, { gang, jobs: this.#jobs, onListed }, this.#signal);

  /** Starts after the pods were listed: a node with bound pods that is missing from the list of nodes is gone. */
  async #followNodes(): Promise<void> {
    await Promise.race([this.#listed.promise, whenAborted(this.#signal)]);
    const onListed = () => this.#nodesAnswered.resolve();
    await followNodes(this.#tools, { nodes: this.#jobs.nodes, onListed }, this.#signal);
  }

  async #follow<T extends KubeObject>(
    resource: Resource<T>,
    labelSelector: string,
    {
      handlers,
      ...how
    }: { handlers: ReflectorHandlers<T> } & Pick<ListSource<T>, 'trim' | 'metadataOnly' | 'pageSize'>,
  ): Promise<void> {
    const { cluster, namespace, readiness, log } = this.#tools;
    if (this.#signal.aborted) return;
    const stream = streamOf(resource);
    this.#unlisted.add(stream);
    readiness.set(stream, 'not listed yet');
    const wrapped = { ...handlers } as ReflectorHandlers<T>;
    wrapped.replaced = (objects, resourceVersion) => {
      log.debug({ resource: stream, objects: objects.length, resourceVersion }, 'listed');
      handlers.replaced(objects, resourceVersion);
      readiness.set(stream, undefined);
      this.#unlisted.delete(stream);
      if (this.#unlisted.size === 0) this.#listed.resolve();
    };
    wrapped.interrupted = (error) => {
      if (this.#unlisted.has(stream)) readiness.set(stream, error);
      log.warn({ err: error, resource: stream }, 'a stream from the cluster was interrupted');
    };
    await reflect(
      readiness.streams.clientFor(stream, cluster),
      { resource, selection: { namespace, labelSelector }, ...how },
      wrapped,
      this.#signal,
    );
  }
}
