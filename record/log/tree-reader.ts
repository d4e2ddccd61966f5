import type { ArchiveStore } from '../archive/archive-store.ts';
import { readTile } from './edge.ts';
import { TILE_WIDTH } from './tiles.ts';
import { foldSubtrees, rootOf } from './tree-hash.ts';

/** Hashes of subtrees of a log, from its tiles. Their readers must check that they lead to a signed root. */
export class TreeReader {
  readonly #store: ArchiveStore;
  readonly #size: number;
  readonly #tiles = new Map<string, Promise<readonly Buffer[]>>();
  /** Proofs of neighbours share most of them. */
  readonly #subtrees = new Map<string, Promise<Buffer>>();

  constructor(store: ArchiveStore, size: number) {
    this.#store = store;
    this.#size = size;
  }

  /** Returns the root over the leaves from one index to before another. The first must be one where RFC 6962 splits. */
  async root(from: number, to: number): Promise<Buffer> {
    const subtrees: Buffer[] = [];
    for (let at = from; at < to; ) {
      const leaves = largestPower(to - at);
      subtrees.push(await this.#perfect(at, leaves));
      at += leaves;
    }
    return foldSubtrees(subtrees);
  }

  #perfect(from: number, leaves: number): Promise<Buffer> {
    const key = `${from}/${leaves}`;
    const subtree = this.#subtrees.get(key) ?? this.#rootOfPerfect(from, leaves);
    this.#subtrees.set(key, subtree);
    return subtree;
  }

  async #rootOfPerfect(from: number, leaves: number): Promise<Buffer> {
    let level = 0;
    while (TILE_WIDTH ** (level + 1) <= leaves) level += 1;
    const unit = TILE_WIDTH ** level;
    const hashes = await this.#tile(level, Math.floor(from / unit / TILE_WIDTH));
    const place = (from / unit) % TILE_WIDTH;
    return rootOf(hashes.slice(place, place + leaves / unit));
  }

  #tile(level: number, index: number): Promise<readonly Buffer[]> {
    const key = `${level}/${index}`;
    const width = Math.min(TILE_WIDTH, Math.floor(this.#size / TILE_WIDTH ** level) - index * TILE_WIDTH);
    const tile = this.#tiles.get(key) ?? readTile(this.#store, { level, index, width });
    this.#tiles.set(key, tile);
    return tile;
  }
}

/** The largest power of two that is not above a number. */
export function largestPower(number: number): number {
  let power = 1;
  while (power * 2 <= number) power *= 2;
  return power;
}
