import type { ArchiveStore } from '../archive/archive-store.ts';
import { readArchiveLog } from '../log/read-archive-log.ts';
import { indexSourceOf } from './index-source.ts';
import { type IndexUpdate, updateIndexFrom } from './update-index.ts';
import { type IndexFinding, verifyIndexFrom } from './verify-index.ts';

/**
 * Brings the index of a store up to its log. Idempotent; may run several times at once, and may end at any moment.
 * `again` makes every part again from the archives.
 */
export async function updateIndex(
  store: ArchiveStore,
  { again }: { readonly again?: boolean } = {},
): Promise<IndexUpdate> {
  return updateIndexFrom(store, indexSourceOf(store, await readArchiveLog(store)), { again });
}

/** Yields what of the index of a store is not as its archives say. Reads every archive. */
export async function* verifyIndex(store: ArchiveStore): AsyncGenerator<IndexFinding> {
  yield* verifyIndexFrom(store, indexSourceOf(store, await readArchiveLog(store)));
}
