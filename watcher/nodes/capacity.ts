import { isDeepStrictEqual } from 'node:util';
import { type Amounts, addAmounts, NOTHING, readAmounts } from '../../contracts/pod-requests.ts';

/** What nodes have for pods, by resource: also cordoned nodes, and what other pods use. */
export class Capacity {
  readonly #nodes = new Map<string, Amounts>();
  #total: Amounts | undefined;

  set(node: string, allocatable: unknown): void {
    const amounts = readAmounts(allocatable);
    if (isDeepStrictEqual(this.#nodes.get(node), amounts)) return;
    this.#nodes.set(node, amounts);
    this.#total = undefined;
  }

  delete(node: string): void {
    if (this.#nodes.delete(node)) this.#total = undefined;
  }

  /** Computed when it is asked for: a healthy node renews its status all the time. */
  get total(): Amounts {
    this.#total ??= [...this.#nodes.values()].reduce(addAmounts, NOTHING);
    return this.#total;
  }
}
