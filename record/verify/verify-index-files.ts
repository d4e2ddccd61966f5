import { verifyIndex } from '../index/archive-index.ts';
import { INDEX_FOLDER } from '../index/parts.ts';
import { LogDamagedError } from '../log/errors.ts';
import type { Verification } from './verification.ts';

/** Compares the index with what the archives say. A damaged log has no index to compare with, and was told already. */
export async function verifyIndexFiles({ store, listing, find }: Verification): Promise<void> {
  const keys = listing.under('index/');
  for (const key of keys) {
    if (key.startsWith(`${INDEX_FOLDER}/`)) continue;
    find({ kind: 'unvouched', key, expected: `only files of ${INDEX_FOLDER}`, found: 'another file' });
  }
  if (keys.length === 0) return;
  try {
    for await (const { key, finding } of verifyIndex(store)) {
      find({
        kind: 'changed',
        key,
        expected: 'an index of the archives in the log',
        found: `one that ${finding}`,
      });
    }
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
  }
}
