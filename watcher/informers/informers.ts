import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS, type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { eachServed, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { whenAborted } from '../../language/when-aborted.ts';
import { followNamespaces } from '../../leader/follow-namespaces.ts';
import type { Readiness } from '../../leader/readiness.ts';
import { type AnchorFacts, trimAnchor } from '../anchors/anchor-facts.ts';
import { type AnchorNotes, ownAnchors } from '../anchors/own-anchors.ts';
import { GROUP_ADAPTERS, type GroupAdapter } from '../groups/group-adapters.ts';
import type { HealthTable } from '../nodes/health-table.ts';
import { trimPod } from '../pods/pod-facts.ts';
import type { JobStore } from '../store/job-store.ts';
import { followGroups } from './group-informer.ts';
import { madeBy } from './made-by.ts';
import { followNodes } from './node-informer.ts';

export interface InformerOptions {
  readonly cluster: ClusterClient;
  readonly home: Home;
  /** Called for each anchor of another installation. */
  readonly noteForeign: (anchor: AnchorFacts) => void;
  readonly unusable: AnchorNotes;
  readonly edited: { note(anchor: ConfigMap['metadata']): void };
  readonly namespaces?: ServedNamespaces;
  readonly readiness: Readiness;
  readonly log: Logger;
  /** What sources of health write on nodes; by default what the known ones do. */
  readonly health?: HealthTable;
}

interface GroupsOfNamespace {
  readonly gang: GroupAdapter;
  readonly namespace: string | undefined;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Follows everything that the leader reads from the cluster, and stores it in the job store. */
export class Informers {
  readonly #tools: InformerOptions;
  readonly #jobs: JobStore;
  readonly #signal: AbortSignal;
  readonly #anchorsListed = Promise.withResolvers<void>();
  readonly #podsListed = Promise.withResolvers<void>();
  readonly #groups: readonly GroupsOfNamespace[];
  readonly #nodesAnswered = Promise.withResolvers<void>();

  constructor(tools: InformerOptions, jobs: JobStore, signal: AbortSignal) {
    this.#tools = tools;
    this.#jobs = jobs;
    this.#signal = signal;
    this.#groups = eachServed(tools.namespaces).flatMap((namespace) =>
      GROUP_ADAPTERS.map((gang) => ({ gang, namespace, ...Promise.withResolvers<void>() })),
    );
  }

  /**
   * Resolves when anchors and pods were listed, and groups and nodes as far as possible. Never resolves if the leadership
   * ends first.
   */
  async listed(): Promise<void> {
    await Promise.all([this.#anchorsListed.promise, this.#podsListed.promise]);
    await Promise.all(this.#groups.map(({ promise }) => promise));
    await this.#nodesAnswered.promise;
  }

  followAll(): Promise<void>[] {
    return [
      this.#followAnchors(),
      this.#followPods(),
      ...this.#groups.map((groups) => this.#followGroups(groups)),
      this.#followNodes(),
    ];
  }

  #followAnchors(): Promise<void> {
    const { namespaces, home, noteForeign: foreign, unusable, edited } = this.#tools;
    const others = {
      ownerOf: (anchor: ConfigMap) => this.#jobs.knownOf(anchor),
      edited: ({ metadata }: ConfigMap) => edited.note(metadata),
      ...{ foreign, unusable },
    };
    return followNamespaces(
      { ...this.#tools, namespaces },
      {
        resource: CONFIG_MAPS,
        labelSelector: LABELS.anchor,
        handlersIn: (namespace) =>
          ownAnchors(this.#jobs.anchorsIn(namespace), home, { ...others, namespace }),
        onListed: () => this.#anchorsListed.resolve(),
        // Anchors of ended jobs remain until they expire, and each may hold up to 1 MiB of data.
        metadataOnly: true,
        // Any user can write anchors with 256 KiB of annotations: a page must fit into memory all the same.
        pageSize: 100,
        trim: trimAnchor,
      },
      this.#signal,
    );
  }

  #followPods(): Promise<void> {
    const { namespaces, home } = this.#tools;
    return followNamespaces(
      { ...this.#tools, namespaces },
      {
        resource: PODS,
        labelSelector: madeBy(home),
        handlersIn: (namespace) => this.#jobs.podsIn(namespace),
        onListed: () => this.#podsListed.resolve(),
        trim: trimPod,
      },
      this.#signal,
    );
  }

  #followGroups({ gang, namespace, resolve: onListed }: GroupsOfNamespace): Promise<void> {
    const tools = { ...this.#tools, namespace };
    return followGroups(tools, { gang, jobs: this.#jobs, onListed }, this.#signal);
  }

  /** Starts after the pods were listed: a node with bound pods that is missing from the list of nodes is gone. */
  async #followNodes(): Promise<void> {
    await Promise.race([this.#podsListed.promise, whenAborted(this.#signal)]);
    const onListed = () => this.#nodesAnswered.resolve();
    await followNodes(this.#tools, { nodes: this.#jobs.nodes, onListed }, this.#signal);
  }
}
