import type { ArchiveStore } from '../archive/archive-store.ts';
import { LogDamagedError } from './errors.ts';
import { tileKey } from './log-keys.ts';
import { levelsOf, TILE_WIDTH, type Tile, widthAt } from './tiles.ts';
import { foldSubtrees, HASH_BYTES, rootOf } from './tree-hash.ts';

/** The partial tile of each level: all that is needed of a log to append to it. At most 255 hashes a level. */
type Edge = readonly (readonly Buffer[])[];

/** A tile with its hashes. */
interface FilledTile extends Tile {
  readonly hashes: readonly Buffer[];
}

/** Reads the edge of a log of this size. Its hashes are only right if `rootOfEdge` is the checkpoint's root. */
export function readEdge(store: ArchiveStore, size: number): Promise<Edge> {
  const levels = Array.from({ length: levelsOf(size) }, (_, level) => level);
  return Promise.all(
    levels.map((level) => {
      const width = widthAt(size, level);
      const index = Math.floor(size / TILE_WIDTH ** (level + 1));
      return width === 0 ? [] : readTile(store, { level, index, width });
    }),
  );
}

export const rootOfEdge = (edge: Edge): Buffer => foldSubtrees(edge.toReversed().flatMap(perfectSubtrees));

/** Returns the tiles that change when leaves are appended, and the new edge. Full tiles come before what is above them. */
export function growEdge(
  before: Edge,
  size: number,
  leafHashes: readonly Buffer[],
): { readonly edge: Edge; readonly tiles: readonly FilledTile[] } {
  const levels = before.map((hashes) => [...hashes]);
  const tiles: FilledTile[] = [];
  const changed = new Set<number>();

  function add(level: number, hash: Buffer, index: number): void {
    levels[level] ??= [];
    const hashes = levels[level];
    hashes.push(hash);
    changed.add(level);
    if (hashes.length < TILE_WIDTH) return;
    tiles.push({ level, index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH, hashes });
    levels[level] = [];
    changed.delete(level);
    add(level + 1, rootOf(hashes), Math.floor(index / TILE_WIDTH));
  }

  for (const [place, hash] of leafHashes.entries()) add(0, hash, size + place);
  const total = size + leafHashes.length;
  const partial = [...changed].map((level) => ({
    level,
    index: Math.floor(total / TILE_WIDTH ** (level + 1)),
    width: levels[level]!.length,
    hashes: levels[level]!,
  }));
  return { edge: levels, tiles: [...tiles, ...partial] };
}

/** Reads the hashes of a tile. Takes the full one if a partial one is gone because the log grew over it. */
export async function readTile(store: ArchiveStore, tile: Tile): Promise<readonly Buffer[]> {
  const { key, bytes } = await tileBytes(store, tile);
  if (bytes.length % HASH_BYTES !== 0 || bytes.length < tile.width * HASH_BYTES) {
    throw new LogDamagedError(key, `${tile.width} hashes of ${HASH_BYTES} bytes`, `${bytes.length} bytes`);
  }
  return Array.from({ length: tile.width }, (_, place) =>
    Buffer.from(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );
}

/** Reads a tile, or the full one that took its place. Throws `LogDamagedError` if there is neither. */
export async function tileBytes(
  store: ArchiveStore,
  tile: Tile,
): Promise<{ readonly key: string; readonly bytes: Uint8Array }> {
  for (const width of new Set([tile.width, TILE_WIDTH])) {
    const key = tileKey({ ...tile, width });
    const bytes = await store.read(key);
    if (bytes) return { key, bytes };
  }
  throw new LogDamagedError(tileKey(tile), 'a tile of the log', 'no file');
}

/** The roots of the perfect subtrees over a level's hashes, the largest one first. */
function perfectSubtrees(hashes: readonly Buffer[]): Buffer[] {
  const roots: Buffer[] = [];
  let from = 0;
  for (let size = TILE_WIDTH / 2; size >= 1; size /= 2) {
    if (hashes.length - from < size) continue;
    roots.push(rootOf(hashes.slice(from, from + size)));
    from += size;
  }
  return roots;
}
