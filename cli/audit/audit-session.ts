import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { AuditDatabase } from '../../record/audit/audit-database.ts';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import { type IndexFiles, indexFilesOf } from '../../record/audit/index-files.ts';
import { writeRowFiles } from '../../record/audit/row-files.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexSourceOf } from '../../record/index/index-source.ts';
import { leftOut, MOST_UNINDEXED } from '../../record/index/job-rows.ts';
import { sha256 } from '../../record/ledger/chain.ts';
import { readArchiveLog } from '../../record/log/read-archive-log.ts';
import { type Connected, orWithoutTemporal, warn, withJobSources } from '../session/job-sources.ts';

interface AuditScope {
  readonly archived?: boolean;
  readonly filter: AuditFilter;
}

/** Runs a command with the rows of all jobs: those of the archive, and beside them those that only Temporal has. */
export const withAuditDatabase = (
  command: Command,
  scope: AuditScope,
  run: (database: AuditDatabase) => Promise<void>,
): Promise<void> =>
  withJobSources(command, scope, async ({ store, live }) => {
    const directory = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
    try {
      const archive = store && (await archivedTables(store, directory));
      const { jobs, entries } = await writeRowFiles(directory, 'archived', archive?.rows ?? []);
      const files = {
        jobs: [...(archive?.files.jobs ?? []), ...jobs],
        entries: [...(archive?.files.entries ?? []), ...entries],
      };
      const database = await AuditDatabase.open(files, [directory, ...(archive?.directories ?? [])]);
      try {
        const hasArchive = Boolean(archive?.size || archive?.rows.length);
        if (live) await addLive(await live, scope, { database, directory, hasArchive });
        await run(database);
      } finally {
        database.close();
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

interface Added {
  readonly database: AuditDatabase;
  readonly directory: string;
  readonly hasArchive: boolean;
}

const addLive = (
  connected: Connected,
  { filter }: AuditScope,
  { database, directory, hasArchive }: Added,
): Promise<void> =>
  orWithoutTemporal(
    async () => {
      if ('error' in connected) throw connected.error;
      const archived = (runIds: readonly string[]) => database.knownRuns(runIds);
      const rows = await connected.client.unarchivedRows({ filter, archived, warn });
      await database.add(await writeRowFiles(directory, 'live', rows));
    },
    { hasArchive, answer: async () => undefined },
  );

/** What an archive knows: its index, and the rows of archives that the index does not have yet. */
interface ArchivedTables extends IndexFiles {
  readonly rows: readonly IndexRows[];
}

/** `temporary`: a directory for files that the user's cache cannot keep. */
async function archivedTables(store: ArchiveStore, temporary: string): Promise<ArchivedTables> {
  const index = await indexFilesOf(store, cacheFor(store), temporary);
  return { ...index, rows: await unindexedRows(store, index.size) };
}

/** The archiver is a moment behind, or the index was never made. */
async function unindexedRows(store: ArchiveStore, indexed: number): Promise<IndexRows[]> {
  const log = await readArchiveLog(store);
  const to = Math.min(log.size, indexed + MOST_UNINDEXED);
  if (to < log.size) warn(leftOut(log.size - to));
  const rows: IndexRows[] = [];
  if (indexed < to)
    for await (const one of indexSourceOf(store, log).rows({ from: indexed, to })) rows.push(one);
  return rows;
}

/** XDG Base Directory Specification; a folder for each archive. */
function cacheFor({ location }: ArchiveStore): string {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const caches = XDG_CACHE_HOME || join(HOME || homedir(), '.cache');
  return join(caches, 'signalbox', 'index', sha256(location).slice(0, 16));
}
