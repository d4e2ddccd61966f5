import type { ArchiveStore } from '../archive/archive-store.ts';
import { sha256 } from '../ledger/chain.ts';
import type { IndexRows } from './columns.ts';
import { choosePartSet } from './part-set.ts';
import { type IndexPart, type LeafRange, type PartPair, partOf } from './parts.ts';
import { readPart } from './read-part.ts';
import { type IndexRow, PartWriter } from './write-part.ts';

/** What the index is made from: the log, and the archives that it names. */
export interface IndexSource {
  /** How many leaves the log has. */
  readonly size: number;
  /** Yields the rows of each leaf of a range, in order. */
  rows(range: LeafRange): AsyncIterable<IndexRows>;
}

export interface PartContent {
  readonly part: IndexPart;
  readonly bytes: Uint8Array;
}

/** Another process has removed a part that was to be read, as it is merged; or it is not what its name says. */
export class PartGoneError extends Error {
  override readonly name = 'PartGoneError';
}

export interface PartOrder {
  readonly range: LeafRange;
  /** Parts that are there. */
  readonly there: readonly IndexPart[];
  readonly source: IndexSource;
}

/** Returns the two parts of a range: from parts that are there, as far as they reach, and the rest from archives. */
export async function makeParts(
  store: ArchiveStore,
  { range, there, source }: PartOrder,
): Promise<Readonly<Record<'jobs' | 'entries', PartContent>>> {
  const writers = { jobs: new PartWriter('jobs'), entries: new PartWriter('entries') };
  const { pairs, to } = choosePartSet(there, range);
  for (const pair of pairs) await copyPair(store, pair, writers);
  for await (const rows of source.rows({ from: to, to: range.to })) {
    await writers.jobs.add(rows.jobs);
    await writers.entries.add(rows.entries);
  }
  const [jobs, entries] = [await writers.jobs.finish(), await writers.entries.finish()];
  return {
    jobs: { part: partOf('jobs', range, sha256(jobs)), bytes: jobs },
    entries: { part: partOf('entries', range, sha256(entries)), bytes: entries },
  };
}

async function copyPair(
  store: ArchiveStore,
  pair: PartPair,
  writers: { readonly jobs: PartWriter; readonly entries: PartWriter },
): Promise<void> {
  for (const table of ['jobs', 'entries'] as const) {
    const bytes = await readWholePart(store, pair[table]);
    for await (const rows of readPart(bytes)) await writers[table].add(rows as readonly IndexRow[]);
  }
}

/** Parquet does not notice changed bytes, so the name must agree. What does not is removed: archives have the truth. */
export async function readWholePart(store: ArchiveStore, part: IndexPart): Promise<Uint8Array> {
  const bytes = await store.read(part.key);
  if (bytes && sha256(bytes) === part.sha256) return bytes;
  if (bytes) await store.remove(part.key);
  throw new PartGoneError(`${part.key} ${bytes ? 'is not what its name says' : 'is gone'}`);
}
