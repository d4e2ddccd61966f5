import pMap from 'p-map';
import { tileBytes } from '../log/edge.ts';
import { decodeEntries } from '../log/entries.ts';
import { LogDamagedError } from '../log/errors.ts';
import { batchKey } from '../log/log-keys.ts';
import { TILE_WIDTH, type Tile } from '../log/tiles.ts';
import { HASH_BYTES, leafHash, rootOf } from '../log/tree-hash.ts';
import { READS_AT_ONCE, type Verification } from './verification.ts';
import type { VerifiedCheckpoint } from './verify-checkpoints.ts';

/** The leaves of a log. */
export interface LoggedLeaves {
  /** Of all leaves, in order. */
  readonly hashes: readonly Buffer[];
  /** The leaves themselves, those with these hashes; undefined where the store has another one or none. */
  readonly entries: readonly (Buffer | undefined)[];
  /** Whether the hashes lead to the newest checkpoint. */
  readonly isProven: boolean;
  /** How many leaves have their tiles: all, unless an appender has not finished. */
  readonly tiled: number;
}

/**
 * Returns the leaves of the newest checkpoint. The store has them twice: as entries, and as the hashes of tiles. Those that
 * lead to the checkpoint are right, which reveals a change of the others.
 */
export async function loggedLeaves(
  verification: Verification,
  checkpoints: readonly VerifiedCheckpoint[],
): Promise<LoggedLeaves> {
  const newest = checkpoints.at(-1);
  if (!newest) return { hashes: [], entries: [], isProven: true, tiled: 0 };
  const batch = await pendingBatch(verification, newest);
  if (batch) {
    const tiled = checkpoints.at(-2)?.size ?? 0;
    const pending = await leavesFrom({ ...verification, newest, tiled, batch });
    if (pending.isProven) return pending;
  }
  return leavesFrom({ ...verification, newest, tiled: newest.size, batch: [] });
}

interface Reading extends Verification {
  readonly newest: VerifiedCheckpoint;
  /** Leaves that are in tiles; those of the batch follow. */
  readonly tiled: number;
  readonly batch: readonly Buffer[];
}

async function leavesFrom(reading: Reading): Promise<LoggedLeaves> {
  const { newest, tiled, batch } = reading;
  const entries = [...(await entriesOfLog(reading)), ...batch];
  const ofEntries = entries.map((entry) => entry && leafHash(entry));
  const ofTiles = [...(await hashesOf(reading)), ...batch.map(leafHash)];
  // What one lacks, the other may have.
  const byEntries = ofEntries.map((hash, index) => hash ?? ofTiles[index] ?? NO_HASH);
  const byTiles = ofTiles.map((hash, index) => hash ?? ofEntries[index] ?? NO_HASH);
  const leads = (hashes: readonly Buffer[]) =>
    hashes.length === newest.size && rootOf(hashes).equals(newest.root);
  const proven = [byEntries, byTiles].find(leads);
  const hashes = proven ?? byEntries;
  return {
    hashes,
    entries: hashes.map((hash, index) => (ofEntries[index]?.equals(hash) ? entries[index] : undefined)),
    isProven: proven !== undefined,
    tiled,
  };
}

const NO_HASH = Buffer.alloc(HASH_BYTES);

/** The leaves of the newest checkpoint, if their appender has not finished. */
async function pendingBatch(
  { store }: Verification,
  newest: VerifiedCheckpoint,
): Promise<readonly Buffer[] | undefined> {
  const key = batchKey(newest);
  return unlessDamaged(async () => {
    const bytes = await store.read(key);
    return bytes && decodeEntries(bytes, key);
  });
}

async function entriesOfLog(reading: Reading): Promise<(Buffer | undefined)[]> {
  const bundles = await readEach(reading, 'entries', ({ key, bytes }) => decodeEntries(bytes, key));
  return bundles.flat();
}

async function hashesOf(reading: Reading): Promise<(Buffer | undefined)[]> {
  const tiles = await readEach(reading, 0, ({ bytes }, { width }) =>
    Array.from({ length: width }, (_, place) => hashAt(Buffer.from(bytes), place)),
  );
  return tiles.flat();
}

function hashAt(bytes: Buffer, place: number): Buffer | undefined {
  const hash = bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  return hash.length === HASH_BYTES ? hash : undefined;
}

/** Reads the tiles of a level; for one that cannot be read, as many times undefined as it has places. */
function readEach<T>(
  { store, tiled }: Reading,
  level: Tile['level'],
  parse: (read: { readonly key: string; readonly bytes: Uint8Array }, tile: Tile) => readonly T[],
): Promise<(T | undefined)[][]> {
  const indices = Array.from({ length: Math.ceil(tiled / TILE_WIDTH) }, (_, index) => index);
  return pMap(
    indices,
    async (index) => {
      const tile: Tile = { level, index, width: Math.min(TILE_WIDTH, tiled - index * TILE_WIDTH) };
      const values = await unlessDamaged(async () => parse(await tileBytes(store, tile), tile));
      return Array.from({ length: tile.width }, (_, place) => values?.[place]);
    },
    { concurrency: READS_AT_ONCE },
  );
}

/** The check of all tiles reports a wrong tile. */
async function unlessDamaged<T>(reading: () => Promise<T>): Promise<T | undefined> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof LogDamagedError) return undefined;
    throw error;
  }
}
