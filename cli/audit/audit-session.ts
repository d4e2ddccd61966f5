import { mkdtemp, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { AuditDatabase } from '../../record/audit/audit-database.ts';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import { type IndexFiles, indexFilesOf } from '../../record/audit/index-files.ts';
import { writeRowFiles } from '../../record/audit/row-files.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexSourceOf } from '../../record/index/index-source.ts';
import { sha256 } from '../../record/ledger/chain.ts';
import { readArchiveLog } from '../../record/log/read-archive-log.ts';
import { note } from '../print/output.ts';
import { connectedClient, settingsOf } from '../session/session.ts';
import { placeToRead, withStoreToRead } from '../session/store-to-read.ts';
import type { Settings } from '../settings/settings.ts';
import { hasCode } from '../shell/errors.ts';

interface AuditScope {
  readonly archived?: boolean;
  readonly filter: AuditFilter;
}

/** Temporal has this long, beside the reading of an archive. Without an archive there is nothing else to show. */
const BESIDE_MS = 1_000;

/** Runs a command with the rows of all jobs: those of the archive, and beside them those that only Temporal has. */
export async function withAuditDatabase(
  command: Command,
  scope: AuditScope,
  run: (database: AuditDatabase) => Promise<void>,
): Promise<void> {
  const found = await settingsOf(command);
  const settings = { ...found, archive: await placeToRead(found.archive) };
  const hasPlace = await isThere(settings.archive);
  if (!hasPlace && !scope.archived) note(`warning: ${withoutArchive(settings.archive)}`);
  const timeout = hasPlace ? BESIDE_MS : undefined;
  const live = scope.archived ? undefined : answerOf(connectedClient(settings, { timeout }));
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
  try {
    // Without an archive, or before the first job was archived, there are only live jobs.
    const archive =
      scope.archived || hasPlace
        ? await withStoreToRead(settings.archive, (store) => archivedTables(store, directory))
        : undefined;
    const { jobs, entries } = await writeRowFiles(directory, 'archived', archive?.rows ?? []);
    const files = {
      jobs: [...(archive?.files.jobs ?? []), ...jobs],
      entries: [...(archive?.files.entries ?? []), ...entries],
    };
    const database = await AuditDatabase.open(files, [directory, ...(archive?.directories ?? [])]);
    try {
      const hasArchive = Boolean(archive?.size || archive?.rows.length);
      if (live) await addLive(await live, scope, { database, directory, hasArchive, settings });
      await run(database);
    } finally {
      database.close();
    }
  } finally {
    await closeClient(live);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Said first: without an archive an audit knows only what Temporal still has. */
const withoutArchive = ({ store }: ArchiveSettings): string =>
  store?.store === 'files'
    ? `there is no archive at ${store.directory} (SIGNALBOX_ARCHIVE_DIR, --archive-dir); this asks only Temporal`
    : 'no archive is configured (SIGNALBOX_ARCHIVE_STORE is none); this asks only Temporal';

const isThere = async ({ store }: ArchiveSettings): Promise<boolean> =>
  store !== undefined &&
  (store.store === 's3' || (await stat(store.directory).catch(() => undefined)) !== undefined);

/** The client of a server that answers, or why there is none. */
type Connected = { readonly client: SignalboxClient } | { readonly error: unknown };

/** Never rejects: the answer is looked at when the archive has been read. */
const answerOf = (connecting: Promise<SignalboxClient>): Promise<Connected> =>
  connecting.then(
    (client) => ({ client }),
    (error: unknown) => ({ error }),
  );

async function closeClient(live: Promise<Connected> | undefined): Promise<void> {
  const connected = await live;
  if (connected && 'client' in connected) await connected.client.close();
}

interface Added {
  readonly database: AuditDatabase;
  readonly directory: string;
  readonly hasArchive: boolean;
  readonly settings: Settings;
}

/** Without Temporal, the archive still answers. */
async function addLive(
  connected: Connected,
  { filter }: AuditScope,
  { database, directory, hasArchive, settings }: Added,
): Promise<void> {
  try {
    if ('error' in connected) throw connected.error;
    const { liveRows } = await import('./live-rows.ts');
    const { namespace: temporalNamespace } = settings.temporal;
    const archived = (runIds: readonly string[]) => database.knownRuns(runIds);
    const rows = await liveRows(connected.client, { filter, temporalNamespace, archived });
    await database.add(await writeRowFiles(directory, 'live', rows));
  } catch (error) {
    if (!hasArchive || !hasCode(error, 'ServerAway')) throw error;
    note(
      `warning: Temporal is unavailable; showing archived jobs only, as with --archived: ${error.message}`,
    );
  }
}

/** What an archive knows: its index, and the rows of archives that the index does not have yet. */
interface ArchivedTables extends IndexFiles {
  readonly rows: readonly IndexRows[];
}

/** Reading an archive takes some milliseconds. */
const MOST_UNINDEXED = 1_000;

/** `temporary`: a directory for files that the user's cache cannot keep. */
async function archivedTables(store: ArchiveStore, temporary: string): Promise<ArchivedTables> {
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
