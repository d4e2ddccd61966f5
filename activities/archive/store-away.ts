import { StoreRequestError } from '../../record/archive/watched-store.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

/**
 * Whether an error means that no job can be archived now: a request to the store failed, and the store does not work for a
 * file of its own either. Any other error is one of the job that it came from.
 */
export async function isStoreAway(
  { store }: Pick<ArchiverDependencies, 'store'>,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof StoreRequestError)) return false;
  return store.examine().then(
    () => false,
    () => true,
  );
}
