import { pMapIterable } from 'p-map';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { type AnyLeaf, isDeletion } from '../archive/log-leaf.ts';
import { archiveRowsOf } from './archive-rows.ts';
import type { IndexRows } from './columns.ts';
import type { LeafRange } from './parts.ts';
import type { IndexSource } from './range-parts.ts';

/** The part of a log that the index needs; `readLog` returns one. */
interface IndexedLog {
  readonly size: number;
  leaves(from: number, to: number): AsyncIterable<{ readonly index: number; readonly leaf: AnyLeaf }>;
}

/** Archives that are read side by side. */
const READERS = 16;

/** Returns what the archives of a log say, without those of the leaves in `deleted`, whose files may still be there. */
export const indexSourceOf = (
  store: ArchiveStore,
  log: IndexedLog,
  deleted: ReadonlySet<number> = new Set(),
): IndexSource => ({
  size: log.size,
  rows: ({ from, to }: LeafRange) =>
    pMapIterable(
      log.leaves(from, to),
      ({ leaf, index }) =>
        isDeletion(leaf) || deleted.has(index) ? NO_ROWS : archiveRowsOf(store, leaf, index),
      { concurrency: READERS },
    ),
});

const NO_ROWS: IndexRows = { jobs: [], entries: [] };

/** Returns the leaves whose archives some leaves of a range, `to` not included, say are deleted. */
export async function deletedLeaves(log: IndexedLog, { from, to }: LeafRange): Promise<ReadonlySet<number>> {
  const deleted = new Set<number>();
  if (from >= to) return deleted;
  for await (const { leaf } of log.leaves(from, to)) if (isDeletion(leaf)) deleted.add(leaf.deleted.leaf);
  return deleted;
}
