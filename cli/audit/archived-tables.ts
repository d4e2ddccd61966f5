import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { type IndexFiles, indexFilesOf } from '../../record/audit/index-files.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexSourceOf } from '../../record/index/index-source.ts';
import { sha256 } from '../../record/ledger/chain.ts';
import { readArchiveLog } from '../../record/log/read-archive-log.ts';
import { note } from '../print/output.ts';

/** What an archive knows: its index, and the rows of archives that the index does not have yet. */
interface ArchivedTables extends IndexFiles {
  readonly rows: readonly IndexRows[];
}

/** Reading an archive takes some milliseconds. */
const MOST_UNINDEXED = 1_000;

/** `temporary`: a directory for files that the user's cache cannot keep. */
export async function archivedTables(store: ArchiveStore, temporary: string): Promise<ArchivedTables> {
  const index = await indexFilesOf(store, cacheFor(store), temporary);
  return { ...index, rows: await unindexedRows(store, index.size) };
}

/** The archiver is a moment behind, or the index was never made. */
async function unindexedRows(store: ArchiveStore, indexed: number): Promise<IndexRows[]> {
  const log = await readArchiveLog(store);
  const to = Math.min(log.size, indexed + MOST_UNINDEXED);
  if (to < log.size)
    note(
      `warning: ${log.size - to} archives are not in the index and are left out; \`signalbox audit index\` adds them.`,
    );
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
