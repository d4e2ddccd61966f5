import type { ArchiveStore } from '../archive/archive-store.ts';
import { sha256 } from '../ledger/chain.ts';
import { listParts } from './list-parts.ts';
import { choosePartSet } from './part-set.ts';
import { INDEX_FOLDER, type IndexPart, partAt } from './parts.ts';
import { type IndexSource, makeParts } from './range-parts.ts';

/** What is wrong with an index. The archives have the truth, so that the index can be made again. */
export interface IndexFinding {
  /** Key of the file, or the folder of the index. */
  readonly key: string;
  readonly finding: string;
}

/**
 * Yields what of an index is not as the archives say: makes each part again and compares the bytes. Archives after the
 * last part are no finding: the index follows the log.
 */
export async function* verifyIndexFrom(
  store: ArchiveStore,
  source: IndexSource,
): AsyncGenerator<IndexFinding> {
  const parts = await listParts(store);
  const { pairs, to } = choosePartSet(parts);
  if (to > source.size)
    yield {
      key: INDEX_FOLDER,
      finding: `covers ${to} archives, but the log has ${source.size}`,
    };
  for (const part of parts) yield* findingOf(part.key, await contentFault(store, part));
  for (const pair of pairs.filter((one) => one.to <= source.size)) {
    const made = await makeParts(store, { range: pair, there: [], source });
    for (const table of ['jobs', 'entries'] as const) {
      const isOther = made[table].part.key !== pair[table].key;
      // One that is gone was made anew meanwhile, because an archive was deleted.
      if (isOther && (await store.read(pair[table].key)))
        yield { key: pair[table].key, finding: 'does not say what the archives say' };
    }
  }
  for await (const key of store.list(`${INDEX_FOLDER}/`))
    if (!partAt(key)) yield { key, finding: 'is no part of an index' };
}

const findingOf = (key: string, finding: string | undefined) => (finding ? [{ key, finding }] : []);

/** A part that was merged may be removed at any time, and is then no fault. */
async function contentFault(store: ArchiveStore, part: IndexPart): Promise<string | undefined> {
  const bytes = await store.read(part.key);
  return bytes && sha256(bytes) !== part.sha256 ? 'has changed: it is not what its name says' : undefined;
}
