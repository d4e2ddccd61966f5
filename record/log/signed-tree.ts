import type { ArchiveStore } from '../archive/archive-store.ts';
import type { AnyLeaf } from '../archive/log-leaf.ts';
import { checkSigner } from './check-signer.ts';
import { completeCheckpoint } from './complete.ts';
import { LogDamagedError } from './errors.ts';
import { encodeLeaf } from './leaf-bytes.ts';
import { type LeafPlace, readLeafPlace } from './leaf-place.ts';
import { placeKeyOf } from './log-keys.ts';
import { type NumberedCheckpoint, newestCheckpoint } from './newest.ts';
import { inclusionProof, rootOfInclusion } from './proofs.ts';
import { leavesOf } from './read-archive-log.ts';
import type { LogSigner } from './signer.ts';
import { TreeReader } from './tree-reader.ts';

/** The tree of a signed checkpoint. A user who may write to the store can write a place of a leaf; the tree says whether it is. */
export class SignedTree {
  readonly #store: ArchiveStore;
  readonly #newest: NumberedCheckpoint;
  readonly #tree: TreeReader;

  /** `newest`: its signature was checked. */
  constructor(store: ArchiveStore, newest: NumberedCheckpoint) {
    this.#store = store;
    this.#newest = newest;
    this.#tree = new TreeReader(store, newest.size);
  }

  /** Throws if the newest checkpoint is not one of the signer's. */
  static async open(store: ArchiveStore, signer: LogSigner): Promise<SignedTree> {
    const newest = await newestCheckpoint(store);
    checkSigner(newest, signer);
    // Its appender may have ended before it could write all tiles.
    await completeCheckpoint(store, newest);
    return new SignedTree(store, newest);
  }

  /** Whether a leaf with this hash has this index. A damaged tile proves nothing. */
  async has({ index, hash }: LeafPlace): Promise<boolean> {
    const { size, root } = this.#newest;
    if (index >= size) return false;
    const proof = await unlessDamaged(inclusionProof(this.#tree, { index, size }));
    const found = proof && rootOfInclusion(Buffer.from(hash, 'hex'), { index, size, proof });
    return found?.equals(root) === true;
  }

  /** Returns what the tree has at a place that a file notes; undefined if there is none, or another leaf. */
  async leafAt(key: string) {
    const place = await this.#placeAt(key);
    if (!place || !(await this.has(place))) return undefined;
    for await (const leaf of leavesOf(this.#store, this.#newest, { from: place.index, to: place.index + 1 }))
      if (leaf.hash.toString('hex') === place.hash) return leaf;
    return undefined;
  }

  /** `other`: the tree has another leaf of this kind for the archive, or others wrote an invalid place. */
  async find(leaf: AnyLeaf): Promise<'known' | 'other' | 'none'> {
    const key = placeKeyOf(leaf);
    if ((await this.#store.read(key)) === undefined) return 'none';
    const place = await this.#placeAt(key);
    const isSame = place?.hash === encodeLeaf(leaf).hash.toString('hex');
    return isSame && (await this.has(place)) ? 'known' : 'other';
  }

  /** A file of others may have any content. */
  #placeAt(key: string): Promise<LeafPlace | undefined> {
    return unlessDamaged(readLeafPlace(this.#store, key));
  }
}

const unlessDamaged = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof LogDamagedError) return undefined;
    throw error;
  });
