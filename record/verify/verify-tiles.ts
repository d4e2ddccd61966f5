import pMap from 'p-map';
import { decodeEntries } from '../log/entries.ts';
import { LogDamagedError } from '../log/errors.ts';
import { LOG_PREFIX, tileKey } from '../log/log-keys.ts';
import { TILE_WIDTH, type Tile, tileAt, tilesOf } from '../log/tiles.ts';
import { HASH_BYTES, leafHash, rootOf } from '../log/tree-hash.ts';
import type { LoggedLeaves } from './logged-leaves.ts';
import { READS_AT_ONCE, type Verification } from './verification.ts';

/** Compares every tile and every bundle of entries with what follows from the leaves. */
export async function verifyTiles(verification: Verification, leaves: LoggedLeaves): Promise<void> {
  const { listing, find } = verification;
  for (const tile of tilesOf(leaves.tiled)) {
    const forms = [tileKey(tile), tileKey({ ...tile, width: TILE_WIDTH })];
    if (forms.some((key) => listing.has(key))) continue;
    find({ kind: 'missing', key: forms[0]!, expected: 'a tile of the log', found: 'no file' });
  }
  const levels = levelsAbove(leaves.hashes);
  await pMap(listing.under(`${LOG_PREFIX}tile/`), (key) => verifyTile(verification, key, levels), {
    concurrency: READS_AT_ONCE,
  });
}

type Levels = readonly (readonly Buffer[])[];

/** The hashes of each level of tiles. */
function levelsAbove(hashes: readonly Buffer[]): Levels {
  const levels: (readonly Buffer[])[] = [hashes];
  for (let below = hashes; below.length >= TILE_WIDTH; below = levels.at(-1)!) {
    const full = Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, index) =>
      rootOf(below.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)),
    );
    levels.push(full);
  }
  return levels;
}

async function verifyTile(verification: Verification, key: string, levels: Levels): Promise<void> {
  const { store, find } = verification;
  const tile = tileAt(key.slice(LOG_PREFIX.length));
  const expected = tile && hashesIn(levels, tile);
  if (!tile || expected?.length !== tile.width) {
    find({ kind: 'unlogged', key, expected: 'a tile of a log of this size', found: 'another one' });
    return;
  }
  const bytes = await store.read(key);
  // A partial tile goes when the full one is there.
  if (!bytes) return;
  const found = hashesFound(tile, bytes, key);
  if (typeof found === 'string') {
    find({ kind: 'changed', key, expected: `${tile.width} ${WHAT(tile)}`, found });
    return;
  }
  const place = expected.findIndex((hash, index) => !found[index]?.equals(hash));
  if (place < 0 && found.length === tile.width) return;
  const which = place < 0 ? `${found.length} ${WHAT(tile)}` : (found[place]?.toString('hex') ?? 'nothing');
  const wanted =
    place < 0 ? `${tile.width}` : `hash ${expected[place]!.toString('hex')} ${positionOf(tile, place)}`;
  find({ kind: 'changed', key, expected: wanted, found: which });
}

const WHAT = ({ level }: Tile): string => (level === 'entries' ? 'leaves' : 'hashes');

const positionOf = ({ level, index }: Tile, place: number): string =>
  level === 'entries' || level === 0 ? `of leaf ${index * TILE_WIDTH + place}` : `at place ${place}`;

function hashesIn(levels: Levels, { level, index, width }: Tile): readonly Buffer[] {
  const hashes = levels[level === 'entries' ? 0 : level] ?? [];
  return hashes.slice(index * TILE_WIDTH, index * TILE_WIDTH + width);
}

/** Returns the hashes that a file has or stands for, or what is wrong with its form. */
function hashesFound({ level }: Tile, bytes: Uint8Array, key: string): readonly Buffer[] | string {
  if (level === 'entries') {
    try {
      return decodeEntries(bytes, key).map(leafHash);
    } catch (error) {
      if (error instanceof LogDamagedError) return error.found;
      throw error;
    }
  }
  if (bytes.length % HASH_BYTES !== 0) return `${bytes.length} bytes`;
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    Buffer.from(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );
}
