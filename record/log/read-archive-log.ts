import { errorMessage } from '../../language/error-message.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { tileBytes } from './edge.ts';
import { decodeEntries } from './entries.ts';
import { LogDamagedError } from './errors.ts';
import { decodeLeaf, type EncodedLeaf } from './leaf-bytes.ts';
import { batchKey } from './log-keys.ts';
import { type NumberedCheckpoint, newestCheckpoint, readCheckpoint } from './newest.ts';
import { TILE_WIDTH } from './tiles.ts';

interface LoggedLeaf extends EncodedLeaf {
  readonly index: number;
}

/** A log as it was when it was read. Signatures and hashes are not checked: `audit verify` does that. */
export interface ArchiveLog {
  /** Number of leaves. */
  readonly size: number;
  readonly newest: NumberedCheckpoint;
  /** Yields the leaves from one index to before another; all without arguments. */
  leaves(from?: number, to?: number): AsyncIterable<LoggedLeaf>;
}

/** Reads the log of a store. Size 0 if there is none. Throws `LogDamagedError`. */
export async function readArchiveLog(store: ArchiveStore): Promise<ArchiveLog> {
  const newest = await newestCheckpoint(store);
  const { size } = newest;
  return { size, newest, leaves: (from = 0, to = size) => leavesOf(store, newest, { from, to }) };
}

/** Yields leaves of the log of a checkpoint. */
export async function* leavesOf(
  store: ArchiveStore,
  newest: NumberedCheckpoint,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncIterable<LoggedLeaf> {
  const last = Math.min(to, newest.size);
  for (let index = from; index < last; ) {
    const bundle = Math.floor(index / TILE_WIDTH);
    const { key, entries } = await bundleOf(store, newest, bundle);
    const end = Math.min(last, (bundle + 1) * TILE_WIDTH);
    for (; index < end; index += 1) yield loggedLeaf(entries[index % TILE_WIDTH], index, key);
  }
}

function loggedLeaf(bytes: Buffer | undefined, index: number, key: string): LoggedLeaf {
  if (!bytes) throw new LogDamagedError(key, `the leaf ${index}`, 'fewer leaves');
  try {
    return { index, ...decodeLeaf(bytes) };
  } catch (cause) {
    throw new LogDamagedError(`${key}, leaf ${index}`, 'a leaf', errorMessage(cause), { cause });
  }
}

async function bundleOf(store: ArchiveStore, { size, number }: NumberedCheckpoint, index: number) {
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  try {
    const { key, bytes } = await tileBytes(store, { level: 'entries', index, width });
    return { key, entries: decodeEntries(bytes, key) };
  } catch (error) {
    const entries = await pendingBundle(store, number, index);
    if (entries) return entries;
    throw error;
  }
}

/** The leaves of the newest checkpoint are only in their batch, until its appender, or the next one, has made the tiles. */
async function pendingBundle(store: ArchiveStore, number: number, index: number) {
  const [newest, before] = [await readCheckpoint(store, number), await readCheckpoint(store, number - 1)];
  if (!newest || !before) return undefined;
  const batch = batchKey(newest);
  const bytes = await store.read(batch);
  if (!bytes) return undefined;
  const width = Math.min(TILE_WIDTH, before.size - index * TILE_WIDTH);
  const first = width > 0 ? await tileBytes(store, { level: 'entries', index, width }) : undefined;
  const older = first ? decodeEntries(first.bytes, first.key).slice(0, width) : [];
  const skipped = Math.max(0, index * TILE_WIDTH - before.size);
  const newer = decodeEntries(bytes, batch).slice(skipped, skipped + TILE_WIDTH - older.length);
  return { key: batch, entries: [...older, ...newer] };
}
