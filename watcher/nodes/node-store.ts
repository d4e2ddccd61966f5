import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import {
  type Node,
  type NodeCondition,
  type NodeConditions,
  nodeConditions,
  worstCondition,
} from './node-facts.ts';

export interface NodeStoreOptions {
  /** A node's trouble is another one; `begins`: or there is one where there was none. */
  readonly changed: (node: string, begins: boolean) => void;
  /** Nodes to which unfinished pods are bound. */
  readonly occupied: () => Iterable<string>;
}

/** What is wrong with the cluster's nodes, as far as they may be read. */
export class NodeStore {
  readonly #options: NodeStoreOptions;
  readonly #nodes = new Map<string, NodeConditions>();
  /** Nodes that no longer exist, with when they were seen to go: their pods may still be there. */
  readonly #gone = new Map<string, number>();
  #revision?: number;

  constructor(options: NodeStoreOptions) {
    this.#options = options;
  }

  /** Up to which nodes were read; undefined where they may not be. */
  get revision(): number | undefined {
    return this.#revision;
  }

  conditionOf(node: string): NodeCondition | undefined {
    const since = this.#gone.get(node);
    if (since !== undefined) return { trouble: 'NotReady', since };
    return worstCondition(this.#nodes.get(node) ?? {});
  }

  readonly handlers: ReflectorHandlers<Node> = {
    replaced: (nodes, revision) => {
      this.#revision = revision;
      const alive = new Set(nodes.map(nameOf));
      const before = new Set([...this.#nodes.keys(), ...this.#options.occupied()]);
      for (const name of before) if (!alive.has(name)) this.#leave(name);
      for (const node of nodes) this.#set(node);
    },
    changed: (node, revision) => {
      this.#revision = revision;
      this.#set(node);
    },
    deleted: (node, revision) => {
      this.#revision = revision;
      this.#leave(nameOf(node));
    },
  };

  /** Nodes may not be read any more: nothing is known of them. */
  forget(): void {
    this.#revision = undefined;
    const names = [...this.#nodes.keys(), ...this.#gone.keys()];
    for (const name of names) {
      this.#update(name, () => {
        this.#nodes.delete(name);
        this.#gone.delete(name);
      });
    }
  }

  #set(node: Node): void {
    const name = nameOf(node);
    this.#update(name, () => {
      this.#gone.delete(name);
      this.#nodes.set(name, nodeConditions(node, this.#nodes.get(name) ?? {}, Date.now()));
    });
  }

  #leave(name: string): void {
    this.#forgetLongGone();
    this.#update(name, () => {
      this.#nodes.delete(name);
      if (!this.#gone.has(name)) this.#gone.set(name, Date.now());
    });
  }

  /** A node that is still there renews its status for as long as it lives: most of that is no news. */
  #update(name: string, change: () => void): void {
    const before = this.conditionOf(name);
    change();
    const after = this.conditionOf(name);
    if (before?.trouble === after?.trouble && before?.since === after?.since) return;
    this.#options.changed(name, after !== undefined && after.trouble !== before?.trouble);
  }

  /** Not at once: the stream of pods may be behind. */
  #forgetLongGone(): void {
    const occupied = new Set(this.#options.occupied());
    for (const [name, since] of this.#gone) {
      if (since < Date.now() - GONE_MS && !occupied.has(name)) this.#gone.delete(name);
    }
  }
}

const GONE_MS = 600_000;

const nameOf = ({ metadata }: Node) => metadata.name;
