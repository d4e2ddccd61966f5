import { ForeignArchiveError } from '../../record/archive/archive-errors.ts';
import { isSealedJob } from '../../record/archive/archive-seal.ts';
import { JobArchive } from '../../record/archive/job-archive.ts';
import { isDeletion } from '../../record/archive/log-leaf.ts';
import { deletionPlaceKey } from '../../record/log/log-keys.ts';
import { sealOf } from '../../record/log/seal-of.ts';
import { SignedTree } from '../../record/log/signed-tree.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

/** What was recorded of a job under the archive's key. */
type OwnRecord = { readonly archive: JobArchive } | { readonly isDeleted: true };

/**
 * Returns the archive in a folder, or that there was one which was deleted on purpose. A user who may write to the store
 * can put anything there: an archive counts if the archive's key has signed it or the log has its leaf, a deletion if the
 * log has its leaf. Throws `ForeignArchiveError` for another archive; another deletion counts for nothing.
 */
export async function ownRecordIn(
  { store, ready }: Pick<ArchiverDependencies, 'store' | 'ready'>,
  folder: string,
): Promise<OwnRecord | undefined> {
  const signer = await ready();
  const archive = await JobArchive.open(store, folder);
  if (archive) {
    if (isSealedJob(sealOf(signer), archive.job, folder)) return { archive };
    const tree = await SignedTree.open(store, signer);
    if ((await tree.find(archive.leaf)) === 'known') return { archive };
    throw new ForeignArchiveError(archive.ref);
  }
  const key = deletionPlaceKey(folder);
  if ((await store.read(key)) === undefined) return undefined;
  const logged = await (await SignedTree.open(store, signer)).leafAt(key);
  const isDeleted = logged && isDeletion(logged.leaf) && logged.leaf.folder === folder;
  return isDeleted ? { isDeleted } : undefined;
}
