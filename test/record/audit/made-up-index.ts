import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { AuditDatabase } from '../../../record/audit/audit-database.ts';
import { indexFilesOf } from '../../../record/audit/index-files.ts';
import { updateIndexFrom } from '../../../record/index/update-index.ts';
import { madeUpSource } from '../index/made-up-jobs.ts';

/** A store that has nothing but the index of so many made-up jobs, in a directory whose name needs quotes. */
export async function madeUpIndex(jobs: number) {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-audit 'a' -"));
  const store = new FileArchiveStore(directory);
  await updateIndexFrom(store, madeUpSource(jobs));
  return { store, directory, remove: () => rm(directory, { recursive: true }) };
}

export async function openedIndex(store: FileArchiveStore): Promise<AuditDatabase> {
  const { files, directories } = await indexFilesOf(store, 'unused');
  return AuditDatabase.open(files, directories);
}
