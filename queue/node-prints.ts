import { createHash } from 'node:crypto';
import { type Amounts, NOTHING } from '../contracts/pod-requests.ts';
import type { NodeView, PodShape } from '../explain/situation.ts';

/** Tells by short texts whether nodes have changed in what matters to pods. */
export class NodePrints {
  readonly #nodes: readonly NodeView[];
  readonly #known = new Map<string, string>();

  constructor(nodes: readonly NodeView[]) {
    this.#nodes = nodes;
  }

  /** What nodes are, and have when they are empty, of what the pods request. */
  ofEmpty(shapes: readonly PodShape[]): string {
    const resources = resourcesOf(shapes);
    return this.#once(`empty ${resources.join()}`, () =>
      this.#nodes.map(({ name, labels, taints, trouble, allocatable, lasting }) => [
        ...[name, labels, taints, trouble?.trouble],
        ...[allocatable, lasting].map((amounts) => textOf(amounts, resources)),
      ]),
    );
  }

  /** The same, and what is used of nodes that have all that one of the pods requests: others cannot take any. */
  ofUsed(shapes: readonly PodShape[]): string {
    const resources = resourcesOf(shapes);
    const sets = [...new Set(shapes.map((shape) => resourcesOf([shape]).join()))].sort();
    const used = this.#once(`used ${resources.join()} ${sets.join(' ')}`, () =>
      this.#nodes
        .filter(({ allocatable }) => shapes.some((shape) => hasAll(allocatable, shape)))
        .map(({ name, used: now, leaving, nominated }) => [
          name,
          ...[now, leaving, nominated].map((amounts) => textOf(amounts, resources)),
        ]),
    );
    return `${this.ofEmpty(shapes)} ${used}`;
  }

  #once(key: string, read: () => unknown): string {
    const known = this.#known.get(key) ?? hashOf(read());
    this.#known.set(key, known);
    return known;
  }
}

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

const resourcesOf = (shapes: readonly PodShape[]): string[] =>
  [...new Set(shapes.flatMap(({ requests }) => [...requests.keys()]))].sort();

const hasAll = (amounts: Amounts, { requests }: PodShape): boolean =>
  [...requests].every(([resource, need]) => need.nanos <= 0n || (amounts.get(resource)?.nanos ?? 0n) > 0n);

const textOf = (amounts: Amounts = NOTHING, resources: readonly string[] = []) =>
  resources.map((resource) => String(amounts.get(resource)?.nanos ?? 0n));
