import { openSync, renameSync, statSync } from 'node:fs';

const LARGEST_BYTES = 20 * 1024 * 1024;

/** Opens it for appending; one that has grown large is put aside first, replacing the one put aside before. */
export function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
