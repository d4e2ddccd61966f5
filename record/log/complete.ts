import pMap from 'p-map';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { growEdge, readEdge, rootOfEdge, tileBytes } from './edge.ts';
import { decodeEntries, encodeEntries } from './entries.ts';
import { LogDamagedError } from './errors.ts';
import { decodeLeaf, type EncodedLeaf } from './leaf-bytes.ts';
import { leafPlaceText } from './leaf-place.ts';
import {
  BATCHES,
  batchAt,
  batchKey,
  CHECKPOINT_KEY,
  checkpointKey,
  LOG_PREFIX,
  NEWEST_KEY,
  placeKeyOf,
  tileKey,
} from './log-keys.ts';
import { type NumberedCheckpoint, newestCheckpoint, readCheckpoint } from './newest.ts';
import { formatNote } from './signed-note.ts';
import { partialTiles, TILE_WIDTH, type Tile, widthAt } from './tiles.ts';

/** Files that are read or written at a time. */
const AT_ONCE = 16;

/**
 * Does what is left to do for a checkpoint: tiles, places of leaves, copies. The batch of its leaves is removed last, so that
 * as long as it is there, anyone can do all of this, also several at once. Other batches up to this checkpoint led to nothing.
 */
export async function completeCheckpoint(store: ArchiveStore, newest: NumberedCheckpoint): Promise<void> {
  const own = batchKey(newest);
  const old: string[] = [];
  for await (const key of store.list(BATCHES)) {
    const batch = batchAt(key);
    if (batch && batch.number <= newest.number) old.push(key);
  }
  if (old.includes(own)) await finish(store, newest, own);
  await pMap(old, (key) => store.remove(key), { concurrency: AT_ONCE });
}

async function finish(store: ArchiveStore, checkpoint: NumberedCheckpoint, batch: string): Promise<void> {
  const bytes = await store.read(batch);
  // Someone else has just finished it.
  if (!bytes) return;
  const before = await readCheckpoint(store, checkpoint.number - 1);
  if (!before) throw new LogDamagedError(checkpointKey(checkpoint.number - 1), 'a checkpoint', 'no file');
  const leaves = decodeEntries(bytes, batch).map(decodeLeaf);
  await writeTiles(store, before, { checkpoint, leaves, batch });
  await pMap(leaves.entries(), ([place, leaf]) => notePlace(store, leaf, before.size + place), {
    concurrency: AT_ONCE,
  });
  await copyNewest(store, checkpoint);
}

interface Finishing {
  readonly checkpoint: NumberedCheckpoint;
  readonly leaves: readonly EncodedLeaf[];
  readonly batch: string;
}

async function writeTiles(
  store: ArchiveStore,
  { size }: NumberedCheckpoint,
  { checkpoint, leaves, batch }: Finishing,
): Promise<void> {
  const hashes = leaves.map(({ hash }) => hash);
  const { edge, tiles } = growEdge(await readEdge(store, size), size, hashes);
  if (size + leaves.length !== checkpoint.size || !rootOfEdge(edge).equals(checkpoint.root)) {
    const expected = `the leaves ${size} to ${checkpoint.size - 1} of checkpoint ${checkpoint.number}`;
    throw new LogDamagedError(batch, expected, 'leaves with another root');
  }
  const filled = tiles.map((tile) => ({ tile, bytes: Buffer.concat(tile.hashes) }));
  const bundles = await growBundles(store, size, leaves);
  const all: readonly { tile: Tile; bytes: Buffer }[] = [...filled, ...bundles];
  await pMap(all, ({ tile, bytes }) => createSame(store, tileKey(tile), bytes), { concurrency: AT_ONCE });
  const full = all.filter(({ tile }) => tile.width === TILE_WIDTH);
  await pMap(full, ({ tile }) => removePartialTiles(store, tile), { concurrency: AT_ONCE });
}

async function growBundles(store: ArchiveStore, size: number, leaves: readonly EncodedLeaf[]) {
  const width = widthAt(size, 0);
  const first = Math.floor(size / TILE_WIDTH);
  const entries: Uint8Array[] = [];
  if (width > 0) {
    const { key, bytes } = await tileBytes(store, { level: 'entries', index: first, width });
    entries.push(...decodeEntries(bytes, key).slice(0, width));
  }
  entries.push(...leaves.map(({ bytes }) => bytes));
  return Array.from({ length: Math.ceil(entries.length / TILE_WIDTH) }, (_, bundle) => {
    const within = entries.slice(bundle * TILE_WIDTH, (bundle + 1) * TILE_WIDTH);
    const tile: Tile = { level: 'entries', index: first + bundle, width: within.length };
    return { tile, bytes: encodeEntries(within) };
  });
}

const notePlace = (store: ArchiveStore, { leaf, hash }: EncodedLeaf, index: number): Promise<void> =>
  createSame(store, placeKeyOf(leaf), Buffer.from(leafPlaceText({ index, hash })));

/** Never overwrites another file: it may be evidence of a manipulation. */
async function createSame(store: ArchiveStore, key: string, bytes: Buffer): Promise<void> {
  if (await store.create(key, bytes)) return;
  const there = await store.read(key);
  if (there && !bytes.equals(there)) {
    throw new LogDamagedError(key, 'what follows from the leaves of the log', 'other bytes');
  }
}

/** Once a tile is full, its partial forms say nothing more. */
async function removePartialTiles(store: ArchiveStore, tile: Tile): Promise<void> {
  const keys: string[] = [];
  for await (const key of store.list(`${LOG_PREFIX}${partialTiles(tile)}`)) keys.push(key);
  await pMap(keys, (key) => store.remove(key), { concurrency: AT_ONCE });
}

/** Looks again after each write: of two appenders the slower one must not leave an old checkpoint there. */
async function copyNewest(store: ArchiveStore, checkpoint: NumberedCheckpoint): Promise<void> {
  let newest = checkpoint;
  for (;;) {
    await store.replace(CHECKPOINT_KEY, Buffer.from(formatNote(newest.signed!.note)));
    await store.replace(NEWEST_KEY, Buffer.from(`${newest.number}\n`));
    const now = await newestCheckpoint(store);
    if (now.number === newest.number) return;
    newest = now;
  }
}
