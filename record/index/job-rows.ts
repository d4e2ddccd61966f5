import type { ArchiveStore } from '../archive/archive-store.ts';
import { sha256 } from '../ledger/chain.ts';
import { readArchiveLog } from '../log/read-archive-log.ts';
import type { JobRow } from './columns.ts';
import { indexSourceOf } from './index-source.ts';
import { listParts } from './list-parts.ts';
import { choosePartSet } from './part-set.ts';
import { readPart } from './read-part.ts';

/** The columns that are read of a row. */
type SomeOf<Names extends keyof JobRow> = Pick<JobRow, Names>;

/** Reading an archive takes some milliseconds. */
export const MOST_UNINDEXED = 1_000;

interface RowReading<Names extends keyof JobRow> {
  readonly columns: readonly Names[];
  readonly warn: (message: string) => void;
}

/**
 * Yields a row for each archived job: of the index, and of the archives that it does not have yet, as the archiver is a moment
 * behind. Reads the table `jobs` alone, and no other library than the writer's.
 */
export async function* archivedJobRows<Names extends keyof JobRow>(
  store: ArchiveStore,
  { columns, warn }: RowReading<Names>,
): AsyncGenerator<SomeOf<Names>> {
  let from = 0;
  const { pairs } = choosePartSet(await listParts(store));
  for (const { jobs, to } of pairs) {
    const bytes = await store.read(jobs.key);
    // Another process merges parts, or somebody changed this one. The archives say the same, more slowly.
    if (!bytes || sha256(bytes) !== jobs.sha256) break;
    for await (const rows of readPart(bytes, columns)) yield* rows as unknown as readonly SomeOf<Names>[];
    from = to;
  }
  const log = await readArchiveLog(store);
  const to = Math.min(log.size, from + MOST_UNINDEXED);
  if (to < log.size) warn(leftOut(log.size - to));
  if (from < to) for await (const { jobs } of indexSourceOf(store, log).rows({ from, to })) yield* jobs;
}

export const leftOut = (count: number): string =>
  `${count} archives are not in the index and are left out; \`signalbox audit index\` adds them.`;
