import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { defaultArchive } from '../../evidence/default-directories.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { note } from '../print/output.ts';
import { NoArchiveError } from '../shell/errors.ts';
import { ifInstalled } from '../shell/sandbox-package.ts';

/**
 * Opens the store of the archive that the settings name, to read it. Writes nothing. Throws `NoArchiveError` for a
 * directory that is not there: that is no empty archive.
 */
export async function openStoreToRead(settings: ArchiveSettings): Promise<ArchiveStore> {
  const { store } = await placeToRead(settings);
  if (!store)
    throw new NoArchiveError('no archive is configured (SIGNALBOX_ARCHIVE_STORE is none)', {
      remedy: REMEDY,
    });
  if (store.store === 'files') await checkDirectory(store.directory);
  const [{ openArchiveStore }, { NamedStore }] = await Promise.all([
    import('../../record/archive/open-archive-store.ts'),
    import('../../record/archive/named-store.ts'),
  ]);
  return new NamedStore(openArchiveStore(store));
}

/** Reads the store of the archive that the settings name, and closes it. */
export async function withStoreToRead<T>(
  settings: ArchiveSettings,
  read: (store: ArchiveStore) => Promise<T>,
): Promise<T> {
  const store = await openStoreToRead(settings);
  try {
    return await read(store);
  } finally {
    store.close();
  }
}

/**
 * Returns where to read: the archive of a stopped sandbox if no directory is configured and the default one is not there.
 * Workers never write there then, as only a running sandbox is theirs.
 */
export async function placeToRead(settings: ArchiveSettings): Promise<ArchiveSettings> {
  const { store } = settings;
  if (store?.store !== 'files' || store.directory !== defaultArchive(process.env)) return settings;
  if (existsSync(store.directory)) return settings;
  const sandbox = await ifInstalled(() => import('@signalbox/sandbox/running'));
  const directory = sandbox?.stoppedSandboxArchive(process.env);
  if (directory === undefined) return settings;
  note(`The sandbox is stopped; this reads its archive, ${directory}.`);
  return { ...settings, store: { ...store, directory } };
}

const REMEDY =
  'Set SIGNALBOX_ARCHIVE_DIR or --archive-dir to the directory that workers write, or SIGNALBOX_ARCHIVE_STORE=s3 and its bucket. Workers make the directory when the first job has ended.';

async function checkDirectory(directory: string): Promise<void> {
  try {
    await readdir(directory);
    await access(directory, constants.X_OK);
  } catch (cause) {
    const found = FOUND[errorCode(cause) ?? ''] ?? errorMessage(cause);
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
