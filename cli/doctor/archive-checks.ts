import { access, constants } from 'node:fs/promises';
import { errorMessage } from '../../contracts/error-message.ts';
import { findArchiveKey } from '../../record/archive/archive-key.ts';
import { openArchiveStore } from '../../record/archive/open-archive-store.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning } = findingsOf('archive');

/** Looks whether commands can read the archive, and whether a worker with these settings could write it. */
export async function* archiveFindings({ archive }: Settings): AsyncGenerator<Finding> {
  const { store } = archive;
  if (!store) {
    yield ok('store', 'none: jobs are forgotten when the retention time of Temporal is over');
    return;
  }
  yield store.store === 'files' ? await directoryFinding(store.directory) : await bucketFinding(store);
  yield await keyFinding(archive);
}

/** Creates nothing, unlike the store itself. */
async function directoryFinding(directory: string): Promise<Finding> {
  try {
    await access(directory, constants.R_OK | constants.X_OK);
    return ok('store', directory);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'does not exist: no worker of this machine has used it' : errorMessage(error);
    return warning(
      'store',
      `${directory} ${why}`,
      'If workers run elsewhere, mount their directory here (SIGNALBOX_ARCHIVE_DIR) or let all use a bucket (docs/archive.md).',
    );
  }
}

async function bucketFinding(settings: Parameters<typeof openArchiveStore>[0]): Promise<Finding> {
  const store = openArchiveStore(settings);
  try {
    await store.examine();
    return ok('store', store.place);
  } catch (error) {
    return warning(
      'store',
      `${store.place}: ${errorMessage(error)}`,
      'Check SIGNALBOX_ARCHIVE_BUCKET, _REGION, _ENDPOINT and the credentials.',
    );
  } finally {
    store.close();
  }
}

async function keyFinding(archive: Settings['archive']): Promise<Finding> {
  try {
    const key = await findArchiveKey(archive);
    if (key) return ok('key', `${archive.name}, signed with the key in ${key.place}`);
    if (archive.publicKey) return ok('key', `${archive.publicKey}, which verifies and does not sign`);
    return ok('key', 'none here; workers have it');
  } catch (error) {
    return warning('key', errorMessage(error), 'Only workers need it: docs/archive.md.');
  }
}
