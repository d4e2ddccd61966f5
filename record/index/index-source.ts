import { pMapIterable } from 'p-map';
import type { ArchiveStore } from '../archive/archive-store.ts';
import type { LogLeaf } from '../archive/log-leaf.ts';
import { archiveRowsOf } from './archive-rows.ts';
import type { LeafRange } from './parts.ts';
import type { IndexSource } from './range-parts.ts';

/** The part of a log that the index needs; `readLog` returns one. */
export interface IndexedLog {
  readonly size: number;
  leaves(from: number, to: number): AsyncIterable<{ readonly index: number; readonly leaf: LogLeaf }>;
}

/** Archives that are read side by side. */
const READERS = 16;

/** Returns what the archives of a log say. */
export const indexSourceOf = (store: ArchiveStore, log: IndexedLog): IndexSource => ({
  size: log.size,
  rows: ({ from, to }: LeafRange) =>
    pMapIterable(log.leaves(from, to), ({ leaf, index }) => archiveRowsOf(store, leaf, index), {
      concurrency: READERS,
    }),
});
