import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { AuditDatabase } from '../../record/audit/audit-database.ts';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import { writeRowFiles } from '../../record/audit/row-files.ts';
import { note } from '../print/output.ts';
import { settingsOf, withClient } from '../session.ts';
import { type ArchivedTables, archivedTables } from './archived-tables.ts';
import { openStoreToRead } from './store-to-read.ts';

export interface AuditScope {
  readonly archived?: boolean;
  readonly filter: AuditFilter;
}

/** Runs a command with the rows of all jobs: those of the archive, and beside them those that only Temporal has. */
export async function withAuditDatabase(
  command: Command,
  scope: AuditScope,
  run: (database: AuditDatabase) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
  try {
    const archive = await archiveIn(command, scope);
    const { jobs, entries } = await writeRowFiles(directory, 'archived', archive?.rows ?? []);
    const files = {
      jobs: [...(archive?.files.jobs ?? []), ...jobs],
      entries: [...(archive?.files.entries ?? []), ...entries],
    };
    const database = await AuditDatabase.open(files, [directory, ...(archive?.directories ?? [])]);
    try {
      if (!scope.archived)
        await addLive(command, scope, { database, directory, hasArchive: Boolean(archive?.size) });
      await run(database);
    } finally {
      database.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function archiveIn(command: Command, { archived }: AuditScope): Promise<ArchivedTables | undefined> {
  const settings = (await settingsOf(command)).archive;
  // Without an archive, or before the first job was archived, there are only live jobs.
  if (!archived && !(await isThere(settings))) return undefined;
  const store = await openStoreToRead(settings);
  try {
    return await archivedTables(store);
  } finally {
    store.close();
  }
}

const isThere = async ({ store }: ArchiveSettings): Promise<boolean> =>
  store !== undefined &&
  (store.store === 's3' || (await stat(store.directory).catch(() => undefined)) !== undefined);

interface Added {
  readonly database: AuditDatabase;
  readonly directory: string;
  readonly hasArchive: boolean;
}

/** A server that is away is no reason to keep back what the archive says. */
async function addLive(command: Command, { filter }: AuditScope, { database, directory, hasArchive }: Added) {
  try {
    await withClient(command, async ({ client, settings }) => {
      const { liveRows } = await import('./live-rows.ts');
      const { namespace: temporalNamespace } = settings.temporal;
      const archived = (runIds: readonly string[]) => database.knownRuns(runIds);
      const rows = await liveRows(client, { filter, temporalNamespace, archived });
      await database.add(await writeRowFiles(directory, 'live', rows));
    });
  } catch (error) {
    if (!hasArchive || !(error instanceof Error && error.name === 'ServerAwayError')) throw error;
    note(`warning: live jobs are left out, this is the archive alone (--archived says so): ${error.message}`);
  }
}
