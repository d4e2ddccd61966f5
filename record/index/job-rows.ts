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
  /** The rows of parts that were read before, by key: a part never changes. It is brought up to date. */
  readonly parts?: Map<string, readonly SomeOf<Names>[]>;
}

/**
 * Yields a row for each archived job: of the index, and of the archives that it does not have yet, as the archiver is a moment
 * behind. Reads the table `jobs` alone, and no other library than the writer's.
 */
export async function* archivedJobRows<Names extends keyof JobRow>(
  store: ArchiveStore,
  { columns, warn, parts }: RowReading<Names>,
): AsyncGenerator<SomeOf<Names>> {
  let from = 0;
  const { pairs } = choosePartSet(await listParts(store));
  const current = new Set(pairs.map(({ jobs }) => jobs.key));
  for (const key of parts?.keys() ?? []) if (!current.has(key)) parts?.delete(key);
  for (const { jobs, to } of pairs) {
    const known = parts?.get(jobs.key);
    if (known) yield* known;
    else {
      const bytes = await store.read(jobs.key);
      // Another process merges parts, or somebody changed this one. The archives say the same, more slowly.
      if (!bytes || sha256(bytes) !== jobs.sha256) break;
      yield* rowsIn(bytes, jobs.key, { columns, parts });
    }
    from = to;
  }
  const log = await readArchiveLog(store);
  const to = Math.min(log.size, from + MOST_UNINDEXED);
  if (to < log.size) warn(leftOut(log.size - to));
  if (from < to) for await (const { jobs } of indexSourceOf(store, log).rows({ from, to })) yield* jobs;
}

async function* rowsIn<Names extends keyof JobRow>(
  bytes: Uint8Array,
  key: string,
  { columns, parts }: Pick<RowReading<Names>, 'columns' | 'parts'>,
): AsyncGenerator<SomeOf<Names>> {
  const all: SomeOf<Names>[] = [];
  for await (const rows of readPart(bytes, columns)) {
    const some = rows as unknown as readonly SomeOf<Names>[];
    if (parts) all.push(...some);
    yield* some;
  }
  parts?.set(key, all);
}

export const leftOut = (count: number): string =>
  `${count} archives are not in the index and are left out; \`signalbox audit index\` adds them.`;
