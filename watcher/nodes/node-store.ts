import { isDeepStrictEqual } from 'node:util';
import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Node } from '../../contracts/kubernetes.ts';
import {
  type NodeCondition,
  type NodeConditions,
  nodeConditions,
  worstCondition,
} from '../../contracts/node-conditions.ts';
import type { NodeNotice } from '../../contracts/node-notice.ts';
import {
  type Amounts,
  addAmounts,
  largerAmounts,
  NOTHING,
  readAmounts,
} from '../../contracts/pod-requests.ts';
import { HealthTable } from './health-table.ts';
import { NoticeBook } from './notice-book.ts';

interface NodeStoreOptions {
  /** Called when a node's worst trouble or its notices change; `isNew`: a new kind of trouble or a new notice starts. */
  readonly changed: (node: string, isNew: boolean) => void;
  /** Returns the nodes to which unfinished pods are bound. */
  readonly occupied: () => Iterable<string>;
  /** What sources of health write on nodes; by default the known ones. */
  readonly health?: HealthTable;
}

/** The troubles, the notices and the capacity of the cluster's nodes, as far as the watcher may read nodes. */
export class NodeStore {
  readonly #options: NodeStoreOptions;
  readonly #nodes = new Map<string, NodeConditions>();
  #capacity = new NodeAmounts();
  /** Deleted nodes, with the time when the deletion was seen. Their pods may still exist. */
  readonly #gone = new Map<string, number>();
  readonly #notices: NoticeBook;
  #resourceVersion?: number;

  constructor(options: NodeStoreOptions) {
    this.#options = options;
    const { changed, health = new HealthTable() } = options;
    this.#notices = new NoticeBook(health, changed);
  }

  /** Resource version up to which nodes were read; undefined if the watcher may not read them. */
  get resourceVersion(): number | undefined {
    return this.#resourceVersion;
  }

  /** What nodes have for pods; undefined if the watcher may not read them. */
  get capacity(): { readonly total: Amounts; readonly largest: Amounts } | undefined {
    return this.#resourceVersion === undefined ? undefined : this.#capacity.known;
  }

  conditionOf(node: string): NodeCondition | undefined {
    const since = this.#gone.get(node);
    if (since !== undefined) return { trouble: 'NotReady', since };
    return worstCondition(this.#nodes.get(node) ?? {});
  }

  /** What the sources of health say of a node. */
  noticesOf(node: string): readonly NodeNotice[] {
    return this.#notices.of(node);
  }

  /** Whether the node exists, as far as the stream has been read. */
  has(node: string): boolean {
    return this.#nodes.has(node);
  }

  readonly handlers: ReflectorHandlers<Node> = {
    replaced: (nodes, resourceVersion) => {
      this.#resourceVersion = resourceVersion;
      const alive = new Set(nodes.map(nameOfNode));
      const before = new Set([...this.#nodes.keys(), ...this.#options.occupied()]);
      for (const name of before) if (!alive.has(name)) this.#leave(name);
      for (const node of nodes) this.#set(node);
    },
    changed: (node, resourceVersion) => {
      this.#resourceVersion = resourceVersion;
      this.#set(node);
    },
    deleted: (node, resourceVersion) => {
      this.#resourceVersion = resourceVersion;
      this.#leave(nameOfNode(node));
    },
  };

  /** Drops everything, because nodes may not be read any more. */
  forget(): void {
    this.#resourceVersion = undefined;
    this.#capacity = new NodeAmounts();
    const names = [...this.#nodes.keys(), ...this.#gone.keys()];
    for (const name of names) {
      this.#update(name, () => {
        this.#nodes.delete(name);
        this.#gone.delete(name);
      });
      this.#notices.forget(name);
    }
  }

  #set(node: Node): void {
    const name = nameOfNode(node);
    this.#capacity.set(name, node.status?.allocatable);
    this.#update(name, () => {
      this.#gone.delete(name);
      this.#nodes.set(name, nodeConditions(node, this.#nodes.get(name) ?? {}, Date.now()));
    });
    this.#notices.hear(node);
  }

  #leave(name: string): void {
    this.#forgetLongGone();
    this.#capacity.delete(name);
    this.#update(name, () => {
      this.#nodes.delete(name);
      if (!this.#gone.has(name)) this.#gone.set(name, Date.now());
    });
    this.#notices.forget(name);
  }

  /** Reports only changes of trouble: a healthy node renews its status all the time. */
  #update(name: string, change: () => void): void {
    const before = this.conditionOf(name);
    change();
    const after = this.conditionOf(name);
    if (isDeepStrictEqual(before, after)) return;
    this.#options.changed(name, after !== undefined && after.trouble !== before?.trouble);
  }

  /** Removes old entries. It waits first, because the stream of pods may be behind. */
  #forgetLongGone(): void {
    const occupied = new Set(this.#options.occupied());
    for (const [name, since] of this.#gone) {
      if (since < Date.now() - GONE_MS && !occupied.has(name)) this.#gone.delete(name);
    }
  }
}

const GONE_MS = 600_000;

const nameOfNode = ({ metadata }: Node) => metadata.name;

/** What nodes have for pods, by resource: also cordoned nodes, and what other pods use. */
class NodeAmounts {
  readonly #nodes = new Map<string, Amounts>();
  #known: { readonly total: Amounts; readonly largest: Amounts } | undefined;

  set(node: string, allocatable: unknown): void {
    const amounts = readAmounts(allocatable);
    if (isDeepStrictEqual(this.#nodes.get(node), amounts)) return;
    this.#nodes.set(node, amounts);
    this.#known = undefined;
  }

  delete(node: string): void {
    if (this.#nodes.delete(node)) this.#known = undefined;
  }

  /** Computed when it is asked for: a healthy node renews its status all the time. */
  get known() {
    this.#known ??= amountsOf([...this.#nodes.values()]);
    return this.#known;
  }
}

const amountsOf = (nodes: readonly Amounts[]) => ({
  total: nodes.reduce(addAmounts, NOTHING),
  largest: nodes.reduce(largerAmounts, NOTHING),
});
