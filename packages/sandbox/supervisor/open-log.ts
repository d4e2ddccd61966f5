import { openSync, renameSync, statSync } from 'node:fs';

const LARGEST_BYTES = 20 * 1024 * 1024;

/** Opens a log for appending. Renames a large one to `.1` first. */
export function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
