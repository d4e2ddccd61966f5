import { errorMessage } from '../../contracts/error-message.ts';
import { ArchiveError } from '../../record/archive/archive-errors.ts';
import { storeFault } from '../../record/archive/store-fault.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

/** The archive's store does not work: no job can be archived now. The message says what is wrong with it. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';
}

/** Does something with the archive's store. What is wrong with one archive is no fault of the store. */
export async function inStore<T>(
  { store }: Pick<ArchiverDependencies, 'store'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    throw new StoreAwayError(`${store.place} ${storeFault(cause)}: ${errorMessage(cause)}`, { cause });
  }
}
