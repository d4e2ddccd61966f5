import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import type { ArchiveSettings } from '../contracts/settings.ts';
import { codeOf } from '../evidence/file-errors.ts';
import type { ArchiveStore } from '../record/archive/archive-store.ts';
import { NoArchiveError } from './errors.ts';

/**
 * Opens the store of the archive that the settings name, to read it. Writes nothing. Throws `NoArchiveError` for a
 * directory that is not there: that is no empty archive.
 */
export async function openStoreToRead({ store }: ArchiveSettings): Promise<ArchiveStore> {
  if (!store)
    throw new NoArchiveError('no archive is configured (SIGNALBOX_ARCHIVE_STORE is none)', {
      remedy: REMEDY,
    });
  if (store.store === 'files') await checkDirectory(store.directory);
  const [{ openArchiveStore }, { NamedStore }] = await Promise.all([
    import('../record/archive/open-archive-store.ts'),
    import('../record/archive/named-store.ts'),
  ]);
  return new NamedStore(openArchiveStore(store));
}

const REMEDY =
  'Set SIGNALBOX_ARCHIVE_DIR or --archive-dir to the directory that workers write, or SIGNALBOX_ARCHIVE_STORE=s3 and its bucket. Workers make the directory when the first job has ended.';

async function checkDirectory(directory: string): Promise<void> {
  try {
    await readdir(directory);
    await access(directory, constants.X_OK);
  } catch (cause) {
    const found = FOUND[codeOf(cause) ?? ''] ?? (cause as Error).message;
    throw new NoArchiveError(`${directory}: expected the directory of an archive, found ${found}`, {
      cause,
      remedy: REMEDY,
    });
  }
}

const FOUND: Readonly<Record<string, string>> = {
  ENOENT: 'nothing',
  ENOTDIR: 'a file',
  EACCES: 'one that this user may not read',
};
