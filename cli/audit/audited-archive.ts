import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { UsageError } from '../errors.ts';
import type { Settings } from '../settings/settings.ts';

/** Opens the archive of an installation. Throws if it has none. */
export async function archiveStoreIn(settings: Settings): Promise<ArchiveStore> {
  const store = await findArchiveStore(settings);
  if (store) return store;
  throw new UsageError('This installation has no archive: SIGNALBOX_ARCHIVE_STORE is none.', {
    remedy: 'Set SIGNALBOX_ARCHIVE_STORE to files or s3 (docs/archive.md).',
  });
}

/** Returns undefined if the installation has no archive. */
export async function findArchiveStore({ archive }: Settings): Promise<ArchiveStore | undefined> {
  if (!archive.store) return undefined;
  const { openArchiveStore } = await import('../../record/archive/open-archive-store.ts');
  return openArchiveStore(archive.store);
}
