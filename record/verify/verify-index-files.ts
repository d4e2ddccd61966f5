import { verifyIndex } from '../index/archive-index.ts';
import { INDEX_FOLDER, partAt } from '../index/parts.ts';
import { LogDamagedError } from '../log/errors.ts';
import type { Verification } from './verification.ts';

/**
 * Compares the index with the archives. Without an intact log, which other checks report, there is nothing to compare.
 * `damaged`: leaves of archives that are not as they were written.
 */
export async function verifyIndexFiles(
  { store, listing, find }: Verification,
  damaged: readonly number[],
): Promise<void> {
  const keys = listing.under('index/');
  for (const key of keys) {
    if (key.startsWith(`${INDEX_FOLDER}/`)) continue;
    find({ kind: 'unlogged', key, expected: `only files of ${INDEX_FOLDER}`, found: 'another file' });
  }
  if (keys.length === 0) return;
  try {
    for await (const { key, finding } of verifyIndex(store)) {
      const found = `one that ${finding}${isAboutDamaged(key, damaged) ? MAY_BE_RIGHT : ''}`;
      find({ kind: 'changed', key, expected: 'an index of the archives in the log', found });
    }
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
  }
}

const MAY_BE_RIGHT = '; archives that it covers were changed or are missing, so it may be as it was written';

function isAboutDamaged(key: string, damaged: readonly number[]): boolean {
  const part = partAt(key);
  return part !== undefined && damaged.some((leaf) => part.from <= leaf && leaf < part.to);
}
