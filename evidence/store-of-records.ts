import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FileStore } from './file-store.ts';
import type { EvidenceStore } from './store.ts';

/**
 * Returns the store that has the records: where workers wrote them, if this machine has that directory and the given one
 * has no such record. Programs need no setting for it then, e.g. beside a sandbox.
 */
export async function storeOfRecords(store: EvidenceStore, refs: readonly string[]): Promise<EvidenceStore> {
  for (const ref of store instanceof FileStore ? refs : []) {
    const key = store.keyOf(ref);
    if (key === undefined || (await store.find(key)) !== undefined) return store;
    const path = fileURLToPath(ref);
    if (existsSync(path)) return new FileStore(path.slice(0, -key.length));
  }
  return store;
}
