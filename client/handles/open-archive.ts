import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StoreSettings } from '../../contracts/settings.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { ArchiveAwayError, RefusedError } from '../errors/errors.ts';
import { archiveStoreIn } from '../servers/environment.ts';
import { translatedErrors } from '../use-cases/archive/archive-client-errors.ts';
import type { OpenArchiveOptions } from '../use-cases/archive/open-archive-options.ts';
import { ArchiveReader } from './archive-reader.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * Opens an archive of ended jobs to read it. No server is asked but the store. `location` is a directory, `s3://bucket/prefix`,
 * or settings, e.g. with an endpoint; by default what SIGNALBOX_ARCHIVE_DIR and its like name, as for the command line, else
 * the directory that workers use by default. Throws `ArchiveAwayError` if it does not exist or does not answer. docs/archive.md
 *
 * @example
 * ```ts
 * const archive = await openArchive('/var/lib/signalbox/archive');
 * const job = await archive.find({ namespace: 'ml', name: 'train' });
 * for (const { at, to, message } of await job.history()) console.log(at, to, message);
 * archive.close();
 * ```
 *
 * @public
 */
export async function openArchive(
  location: string | StoreSettings = archiveStoreIn(process.env),
  options: OpenArchiveOptions = {},
): Promise<ArchiveReader> {
  const settings = typeof location === 'string' ? settingsOf(location) : location;
  await refuseUnknownOptions({ archiveStore: settings, openArchive: options });
  if (settings.store === 'files') await checkDirectory(settings.directory);
  const [{ archiveIn }, { openArchiveStore }, { NamedStore }] = await Promise.all([
    import('../../record/archive/archive-reader.ts'),
    import('../../record/archive/open-archive-store.ts'),
    import('../../record/archive/named-store.ts'),
  ]);
  const store = new NamedStore(openArchiveStore(settings));
  try {
    await translatedErrors(() => expectAnswer(store));
  } catch (error) {
    store.close();
    throw error;
  }
  return new ArchiveReader(archiveIn(store), options);
}

function settingsOf(location: string): StoreSettings {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(location) ?? [];
  if (bucket !== undefined) return { store: 's3', bucket, ...(prefix ? { prefix } : {}) };
  if (location !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(location))
    return { store: 'files', directory: location };
  throw new RefusedError(
    `archive: expected a directory or s3://bucket/prefix, got ${JSON.stringify(location)}.`,
  );
}

/** A directory that is not there is an error, not an empty archive. */
async function checkDirectory(directory: string): Promise<void> {
  try {
    await access(directory, constants.R_OK | constants.X_OK);
  } catch (cause) {
    throw new ArchiveAwayError(
      `${resolve(directory)}: expected the directory of an archive, got ${errorMessage(cause)}.`,
      { cause, remedy: 'Check the path, and whether the directory is mounted and may be read.' },
    );
  }
}

/** Reads the beginning of one listing. */
async function expectAnswer(store: ArchiveStore): Promise<void> {
  for await (const _ of store.list('log/')) return;
}
