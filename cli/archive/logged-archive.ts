import { DamagedArchiveError } from '../../record/archive/archive-errors.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { verifierKeys } from '../audit/verifier-keys.ts';
import { note } from '../print/output.ts';
import { withStoreToRead } from '../session/store-to-read.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../shell/errors.ts';

/**
 * Throws if the signed log does not have an archive as it is: another client may have written it. Without a key to verify
 * with, only notes that it is not verified.
 */
export async function checkLogged({ folder, ref }: JobArchive, { archive }: Settings): Promise<void> {
  const keys = await keysFor(archive);
  if (!keys) return note(`${ref} is not verified: there is no key here (docs/archive.md).`);
  const { verifyJob } = await import('../../record/verify/verify-job.ts');
  const findings: string[] = [];
  const find = ({ key, expected, found }: { key: string; expected: string; found: string }) =>
    void findings.push(`${key}: expected ${expected}; found ${found}`);
  await withStoreToRead(archive, (store) => verifyJob(store, folder, { keys, find }));
  const [first] = findings;
  if (first !== undefined) throw new DamagedArchiveError(ref, first);
}

async function keysFor(archive: Settings['archive']) {
  try {
    return (await verifierKeys(archive)).keys;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
