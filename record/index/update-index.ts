import type { ArchiveStore } from '../archive/archive-store.ts';
import { sha256 } from '../ledger/chain.ts';
import { listParts } from './list-parts.ts';
import { MERGE_SIZES, type MergeSizes, partRangesOf } from './part-ranges.ts';
import { choosePartSet } from './part-set.ts';
import { type IndexPart, type LeafRange, partOf } from './parts.ts';
import {
  type IndexSource,
  makeParts,
  type PartContent,
  PartGoneError,
  type PartOrder,
  readWholePart,
} from './range-parts.ts';
import { readPart } from './read-part.ts';
import { type IndexRow, PartWriter } from './write-part.ts';

interface IndexUpdate {
  /** Leaves that the index covers now. */
  readonly size: number;
  readonly created: readonly string[];
  readonly removed: readonly string[];
}

interface UpdateOptions {
  /** Makes every part again from the archives. */
  readonly again?: boolean;
  /** Leaves whose rows must go, because a leaf that the index does not cover yet says that they are deleted. */
  readonly deleted?: ReadonlySet<number>;
  readonly sizes?: MergeSizes;
  /** Leaves after which a long update has reached something that a crash does not undo. */
  readonly step?: number;
}

/**
 * Brings an index up to its log: writes what is missing, merges parts, then removes what was merged. Idempotent, as
 * parts follow from the number of leaves and are named by their content. Two at once write the same parts. After a
 * crash, the next call completes what the last one began.
 */
export async function updateIndexFrom(
  store: ArchiveStore,
  source: IndexSource,
  { again = false, deleted = new Set(), sizes = MERGE_SIZES, step = STEP }: UpdateOptions = {},
): Promise<IndexUpdate> {
  // Before the leaf that says so is covered: after a crash, the next call takes this up again.
  const { created, removed } = again ? { created: [], removed: [] } : await removeRows(store, deleted);
  let size = again ? 0 : choosePartSet(await listParts(store)).to;
  // Another process knows a longer log already.
  if (size > source.size) return { size, created, removed };
  do {
    size = Math.min(source.size, size - (size % step) + step);
    const ranges = partRangesOf(size, sizes);
    const written = await writeParts(store, { ranges, source, fromParts: !again });
    created.push(...written.created);
    const limit = again && size === source.size ? Number.MAX_SAFE_INTEGER : size;
    removed.push(...(await removeOthers(store, written.keys, limit)));
  } while (size < source.size);
  return { size, created, removed };
}

const STEP = 4096;
/** Times that another process may remove parts while they are being read. After that, archives alone are read. */
const TRIES = 3;

interface Wanted {
  readonly ranges: readonly LeafRange[];
  readonly source: IndexSource;
  readonly fromParts: boolean;
}

async function writeParts(store: ArchiveStore, wanted: Wanted) {
  for (let tries = 1; tries < TRIES; tries++) {
    try {
      return await writeMissingParts(store, wanted);
    } catch (error) {
      if (!(error instanceof PartGoneError)) throw error;
    }
  }
  return writeMissingParts(store, { ...wanted, fromParts: false });
}

async function writeMissingParts(store: ArchiveStore, { ranges, source, fromParts }: Wanted) {
  const there = fromParts ? await listParts(store) : [];
  const keys = new Set<string>();
  const created: string[] = [];
  for (const range of ranges) {
    const pair = pairOf(there, range);
    const parts = pair ? [pair.jobs, pair.entries] : await writePair(store, { range, there, source });
    for (const { key } of parts) keys.add(key);
    if (!pair) created.push(...parts.map(({ key }) => key));
  }
  return { keys, created };
}

const pairOf = (there: readonly IndexPart[], range: LeafRange) =>
  choosePartSet(there, range).pairs.find(({ from, to }) => from === range.from && to === range.to);

/** Entries first: readers count a range when the part of `jobs` is there too. */
async function writePair(store: ArchiveStore, order: PartOrder): Promise<readonly IndexPart[]> {
  const { entries, jobs } = await makeParts(store, order);
  await writeOnce(store, entries);
  await writeOnce(store, jobs);
  return [jobs.part, entries.part];
}

async function writeOnce(store: ArchiveStore, { part, bytes }: PartContent): Promise<void> {
  if (await store.create(part.key, bytes)) return;
  const there = await store.read(part.key);
  if (!there || sha256(there) !== part.sha256) await store.replace(part.key, bytes);
}

/** Another process may know more leaves: its parts are not ours to judge. */
async function removeOthers(
  store: ArchiveStore,
  kept: ReadonlySet<string>,
  limit: number,
): Promise<readonly string[]> {
  const others = (await listParts(store)).filter(({ key, to }) => to <= limit && !kept.has(key));
  for (const { key } of others) await store.remove(key);
  return others.map(({ key }) => key);
}

/** What became of the files of an index. */
interface ChangedFiles {
  readonly created: string[];
  readonly removed: string[];
}

/** Writes each part that has rows of these leaves again, without them. The same as if it were made from the archives. */
async function removeRows(store: ArchiveStore, leaves: ReadonlySet<number>): Promise<ChangedFiles> {
  const changed: ChangedFiles = { created: [], removed: [] };
  if (leaves.size === 0) return changed;
  for (const part of await listParts(store)) {
    if (!covers(part, leaves)) continue;
    const bytes = await partWithout(store, part, leaves);
    const { key } = bytes ? partOf(part.table, { from: part.from, to: part.to }, sha256(bytes)) : part;
    if (!bytes || key === part.key) continue;
    if (await store.create(key, bytes)) changed.created.push(key);
    await store.remove(part.key);
    changed.removed.push(part.key);
  }
  return changed;
}

const covers = ({ from, to }: IndexPart, leaves: ReadonlySet<number>): boolean =>
  [...leaves].some((leaf) => from <= leaf && leaf < to);

/** Returns undefined if another process was faster. */
async function partWithout(
  store: ArchiveStore,
  part: IndexPart,
  leaves: ReadonlySet<number>,
): Promise<Uint8Array | undefined> {
  const writer = new PartWriter(part.table);
  try {
    for await (const rows of readPart(await readWholePart(store, part)))
      await writer.add((rows as readonly IndexRow[]).filter(({ leaf }) => !leaves.has(Number(leaf))));
  } catch (error) {
    if (error instanceof PartGoneError) return undefined;
    throw error;
  }
  return writer.finish();
}
