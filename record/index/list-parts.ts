import type { ArchiveStore } from '../archive/archive-store.ts';
import { INDEX_FOLDER, type IndexPart, partAt } from './parts.ts';

/** Returns all parts of an index, also those that others have replaced and that are not removed yet. */
export async function listParts(store: Pick<ArchiveStore, 'list'>): Promise<readonly IndexPart[]> {
  const parts: IndexPart[] = [];
  for await (const key of store.list(`${INDEX_FOLDER}/`)) {
    const part = partAt(key);
    if (part) parts.push(part);
  }
  return parts;
}
