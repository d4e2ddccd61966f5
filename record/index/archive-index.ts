import type { ArchiveStore } from '../archive/archive-store.ts';
import { readArchiveLog } from '../log/read-archive-log.ts';
import { deletedLeaves, indexSourceOf } from './index-source.ts';
import { listParts } from './list-parts.ts';
import { choosePartSet } from './part-set.ts';
import { updateIndexFrom } from './update-index.ts';
import { type IndexFinding, verifyIndexFrom } from './verify-index.ts';

/**
 * Brings the index of a store up to its log, and takes the rows of deleted archives out of it. Idempotent; may run several
 * times at once, and may end at any moment. `again` makes every part again from the archives.
 */
export async function updateIndex(store: ArchiveStore, { again = false }: { readonly again?: boolean } = {}) {
  const created: string[] = [];
  const removed: string[] = [];
  let from = again ? 0 : choosePartSet(await listParts(store)).to;
  for (let isAgain = again; ; isAgain = false) {
    const log = await readArchiveLog(store);
    const deleted = await deletedLeaves(log, { from, to: log.size });
    const update = await updateIndexFrom(store, indexSourceOf(store, log, deleted), {
      again: isAgain,
      deleted,
    });
    created.push(...update.created);
    removed.push(...update.removed);
    // What was deleted meanwhile may be in parts that were copied here.
    const now = await readArchiveLog(store);
    if ((await deletedLeaves(now, { from: log.size, to: now.size })).size === 0)
      return { size: update.size, created, removed };
    from = log.size;
  }
}

/** Yields what of the index of a store is not as its archives say. Reads every archive. */
export async function* verifyIndex(store: ArchiveStore): AsyncGenerator<IndexFinding> {
  const log = await readArchiveLog(store);
  const deleted = await deletedLeaves(log, { from: 0, to: log.size });
  yield* verifyIndexFrom(store, indexSourceOf(store, log, deleted));
}
