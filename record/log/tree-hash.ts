import { hash } from 'node:crypto';

/** Hashes of RFC 6962, section 2.1: the two prefixes keep a leaf from being taken for a node. */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export const HASH_BYTES = 32;

const sha256Of = (data: Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** The root of a log without leaves. */
export const EMPTY_ROOT: Buffer = sha256Of(new Uint8Array());

export const leafHash = (leaf: Uint8Array): Buffer => sha256Of(Buffer.concat([LEAF, leaf]));

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256Of(Buffer.concat([NODE, left, right]));

/** Returns the root over the hashes of leaves, or of subtrees of one size. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const tree = new GrowingTree();
  for (const each of hashes) tree.add(each);
  return tree.root();
}

/** Returns the root over perfect subtrees, the largest one first. */
export const foldSubtrees = (subtrees: readonly Buffer[]): Buffer =>
  subtrees.length === 0 ? EMPTY_ROOT : subtrees.reduceRight((right, left) => nodeHash(left, right));

/** A tree that grows leaf by leaf, and keeps only one hash for each of its perfect subtrees. */
export class GrowingTree {
  #size = 0;
  readonly #subtrees: Buffer[] = [];

  get size(): number {
    return this.#size;
  }

  /** The perfect subtrees, the largest one first. */
  get subtrees(): readonly Buffer[] {
    return this.#subtrees;
  }

  add(hash: Buffer): void {
    let subtree = hash;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      subtree = nodeHash(this.#subtrees.pop()!, subtree);
    }
    this.#subtrees.push(subtree);
    this.#size += 1;
  }

  root(): Buffer {
    return foldSubtrees(this.#subtrees);
  }
}
