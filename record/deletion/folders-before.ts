import { nameFolder, parseNameKey } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';

/** Returns the folders of archives of jobs that closed on a day before that of `time` (UTC), the oldest first. */
export async function foldersBefore(
  store: ArchiveStore,
  time: Date,
  namespace: string | undefined,
): Promise<readonly string[]> {
  const first = time.toISOString().slice(0, 10);
  const found: { readonly day: string; readonly folder: string }[] = [];
  for await (const key of store.list(nameFolder({ namespace }))) {
    const named = parseNameKey(key);
    if (named && named.day < first) found.push(named);
  }
  return found.sort((one, other) => (one.day < other.day ? -1 : 1)).map(({ folder }) => folder);
}
