import { access, constants } from 'node:fs/promises';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { UsageError } from '../errors.ts';

/** Opens the archive's store to read it. A directory that is not there is an error, not an empty archive. */
export async function openStoreToRead({ store }: ArchiveSettings): Promise<ArchiveStore> {
  if (!store)
    throw new UsageError('no archive is configured (SIGNALBOX_ARCHIVE_STORE is none)', { remedy: REMEDY });
  if (store.store === 'files') await checkDirectory(store.directory);
  const [{ openArchiveStore }, { NamedStore }] = await Promise.all([
    import('../../record/archive/open-archive-store.ts'),
    import('../../record/archive/named-store.ts'),
  ]);
  return new NamedStore(openArchiveStore(store));
}

const REMEDY = 'Set SIGNALBOX_ARCHIVE_DIR or --archive-dir, or SIGNALBOX_ARCHIVE_STORE=s3 and its bucket.';

async function checkDirectory(directory: string): Promise<void> {
  try {
    await access(directory, constants.R_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(
      `${directory}: expected the directory of an archive, got ${(cause as Error).message}`,
      {
        cause,
        remedy: REMEDY,
      },
    );
  }
}
