import { NODES, type Node } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import type { NodeEvidence } from '../../contracts/types.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** The nodes of some failed pods. Reads each only once: a hundred pods may have failed on one node. */
export class Nodes {
  readonly #dependencies: Pick<Dependencies, 'cluster' | 'bulk'>;
  readonly #requested = new Map<string, Promise<NodeEvidence | undefined>>();
  readonly #silent = new Set<string>();

  constructor(dependencies: Pick<Dependencies, 'cluster' | 'bulk'>) {
    this.#dependencies = dependencies;
  }

  /** Returns undefined if the node no longer exists. */
  of(name: string): Promise<NodeEvidence | undefined> {
    const asked = this.#requested.get(name) ?? this.#ask(name);
    this.#requested.set(name, asked);
    return asked;
  }

  /** Notes that a kubelet did not answer a log request in time: another request would wait as long. */
  noteSilence(name: string): void {
    this.#silent.add(name);
  }

  /** Returns why the kubelet of a node cannot return a log; undefined if it may. */
  async whyNoLog(name: string): Promise<string | undefined> {
    if (this.#silent.has(name)) return `node ${name} did not answer before`;
    try {
      const node = await this.of(name);
      if (!node) return `node ${name} no longer exists`;
      const ready = conditionOf({ status: node }, 'Ready');
      return ready && ready.status !== 'True' ? `node ${name} is not ready` : undefined;
    } catch {
      return undefined; // an account that may not read nodes may read logs
    }
  }

  async #ask(name: string): Promise<NodeEvidence | undefined> {
    const { cluster, bulk } = this.#dependencies;
    const node = await bulk.run(() => cluster.find(NODES, undefined, name));
    return node && evidenceOfNode(node);
  }
}

const evidenceOfNode = ({ metadata, spec, status }: Node): NodeEvidence => ({
  name: metadata.name,
  conditions: [...(status?.conditions ?? [])],
  taints: [...(spec?.taints ?? [])],
  unschedulable: spec?.unschedulable ?? false,
});
