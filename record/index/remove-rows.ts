import type { ArchiveStore } from '../archive/archive-store.ts';
import { sha256 } from '../ledger/chain.ts';
import { listParts } from './list-parts.ts';
import { type IndexPart, partOf } from './parts.ts';
import { PartGoneError, readWholePart } from './range-parts.ts';
import { readPart } from './read-part.ts';
import { type IndexRow, PartWriter } from './write-part.ts';

/** What became of the files of an index. */
interface ChangedFiles {
  readonly created: string[];
  readonly removed: string[];
}

/** Writes each part that has rows of these leaves again, without them. The same as if it were made from the archives. */
export async function removeRows(store: ArchiveStore, leaves: ReadonlySet<number>): Promise<ChangedFiles> {
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
