import { checkSigner } from '../../record/log/check-signer.ts';
import { newestCheckpoint } from '../../record/log/newest.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

/**
 * Returns who signs the log. Throws if the log has another name, or another key has signed it: to be called before anything is
 * written, as each file without a leaf of the log would be a finding in the archive of another installation.
 */
export async function ownLog({
  store,
  ready,
}: Pick<ArchiverDependencies, 'store' | 'ready'>): Promise<LogSigner> {
  const signer = await ready();
  checkSigner(await newestCheckpoint(store), signer);
  return signer;
}
