import { errorMessage } from '../../contracts/error-message.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

/** The archive's store does not work: no job can be archived now. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';
}

/** Does something with the archive's store. */
export async function inStore<T>(
  { store }: Pick<ArchiverDependencies, 'store'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreAwayError(`${store.place}: ${errorMessage(cause)}`, { cause });
  }
}
