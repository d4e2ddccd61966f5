import type { Client } from '@temporalio/client';
import { RefusedError } from '../../client/errors/errors.ts';
import { archiverStatus } from '../../client/use-cases/archive/archiver.ts';
import type { StoreSettings } from '../../contracts/settings.ts';
import { asError, errorMessage } from '../../language/error-message.ts';
import { findArchiveKey } from '../../record/archive/archive-key.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { openArchiveStore } from '../../record/archive/open-archive-store.ts';
import { checkSigner } from '../../record/log/check-signer.ts';
import { LogKeyError } from '../../record/log/errors.ts';
import { type NumberedCheckpoint, newestCheckpoint } from '../../record/log/newest.ts';
import { signersOf } from '../../record/log/signed-note.ts';
import { signerOf } from '../../record/log/signer.ts';
import { parseVerifierKeys } from '../../record/log/verifier-key.ts';
import type { Settings } from '../settings/settings.ts';
import { remedyOf } from '../shell/errors.ts';
import type { Account } from './account.ts';
import { type Finding, findingsOf } from './finding.ts';
import { storeFinding } from './store-finding.ts';

const { ok, warning, fault } = findingsOf('archive');

/** Looks whether the archiver archives what ends. */
export async function archiverFinding(temporal: Client, settings: Settings): Promise<Finding> {
  try {
    const status = await archiverStatus({ temporal, temporalAddress: settings.temporal.address });
    const { waiting = 0, endangered = 0, problem, failure } = status;
    if (failure) return fault('archiver', failure, SEE_STATUS);
    if (!problem) return ok('archiver', waiting === 0 ? 'no ended job waits' : `${waiting} ended jobs wait`);
    if (endangered === 0) return warning('archiver', problem, SEE_STATUS);
    const soon = `Temporal will soon delete ${endangered} of the jobs that are not archived`;
    return fault('archiver', `${problem}; ${soon}`, SEE_STATUS);
  } catch (error) {
    const remedy = error instanceof RefusedError ? error.remedy : undefined;
    return warning('archiver', errorMessage(error), remedy ?? SEE_STATUS);
  }
}

const SEE_STATUS =
  '`signalbox archive status` names the jobs and what keeps each from the archive; docs/archive.md.';

/** Looks whether commands can read the archive, and whether a worker with these settings could write it. */
export async function* archiveFindings({ archive }: Settings, account: Account): AsyncGenerator<Finding> {
  const { store } = archive;
  if (!store) {
    yield warning(
      'store',
      'none: jobs are forgotten when the retention time of Temporal is over',
      'Keep them in a bucket, or on a volume that all workers write: SIGNALBOX_ARCHIVE_STORE (docs/archive.md).',
    );
    return;
  }
  const found = await storeFinding(store, {
    area: 'archive',
    settings: 'SIGNALBOX_ARCHIVE',
    page: 'docs/archive.md',
    account,
    open: () => examinedArchive(openArchiveStore(store)),
  });
  yield found;
  yield await keyFinding(archive, found.state === 'ok' ? store : undefined);
}

const examinedArchive = (store: ArchiveStore) => ({
  location: store.location,
  examine: () => store.examine(),
  read: async () => {
    // A folder without archives, so that the listing is short.
    for await (const _ of store.list('names/nobody/')) return;
  },
  close: () => store.close(),
});

/** `readable`: the store, if it can be read. Every key that is here must fit what is in it. */
async function keyFinding(
  archive: Settings['archive'],
  readable: StoreSettings | undefined,
): Promise<Finding> {
  const key = await findArchiveKey(archive).catch(asError);
  if (key instanceof Error)
    return warning('key', errorMessage(key), 'Only workers need it: docs/archive.md.');
  let newest: NumberedCheckpoint | undefined;
  try {
    newest = readable && (await newestIn(readable));
    if (key && newest)
      checkSigner(newest, signerOf(key.pem, { origin: archive.name, location: key.location }));
    if (archive.publicKey) checkVerifier(archive.publicKey, newest);
  } catch (error) {
    return fault('key', errorMessage(error), remedyOf(error) ?? '`signalbox audit verify` says more.');
  }
  if (key) return ok('key', `${archive.name}, signed with the key in ${key.location}`);
  if (archive.publicKey) return ok('key', `${archive.publicKey}, which verifies and does not sign`);
  const origin = newest?.signed?.origin ?? archive.name;
  if (origin === archive.name) return ok('key', 'none here; workers have it');
  return warning(
    'key',
    `none here; this archive belongs to the log ${origin}, not ${archive.name}`,
    OWN_ARCHIVE,
  );
}

const OWN_ARCHIVE =
  'Set SIGNALBOX_ARCHIVE_NAME to the name of its log, or use another archive: each installation needs its own (docs/deployment.md).';

async function newestIn(settings: StoreSettings): Promise<NumberedCheckpoint> {
  const store = openArchiveStore(settings);
  try {
    return await newestCheckpoint(store);
  } finally {
    store.close();
  }
}

function checkVerifier(publicKey: string, newest: NumberedCheckpoint | undefined): void {
  const keys = parseVerifierKeys(publicKey);
  if (!newest?.signed) return;
  try {
    signersOf(newest.signed.note, keys);
  } catch (cause) {
    throw new LogKeyError(`SIGNALBOX_ARCHIVE_PUBLIC_KEY is not of this archive: ${errorMessage(cause)}`, {
      ...{
        cause,
        remedy:
          'Set the key that `signalbox audit key` prints where the private one is, or name another archive.',
      },
    });
  }
}
