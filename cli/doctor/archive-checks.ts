import { errorMessage } from '../../contracts/error-message.ts';
import { findArchiveKey } from '../../record/archive/archive-key.ts';
import { openArchiveStore } from '../../record/archive/open-archive-store.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';
import { storeFinding } from './store-finding.ts';

const { ok, warning } = findingsOf('archive');

/** Looks whether commands can read the archive, and whether a worker with these settings could write it. */
export async function* archiveFindings({ archive }: Settings): AsyncGenerator<Finding> {
  const { store } = archive;
  if (!store) {
    yield ok('store', 'none: jobs are forgotten when the retention time of Temporal is over');
    return;
  }
  yield await storeFinding(store, {
    area: 'archive',
    settings: 'SIGNALBOX_ARCHIVE',
    page: 'docs/archive.md',
    open: () => openArchiveStore(store),
  });
  yield await keyFinding(archive);
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
