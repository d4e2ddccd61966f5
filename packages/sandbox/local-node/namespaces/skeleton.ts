import {
  chmodSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../../engine.ts';
import { isWithin } from './mount.ts';
import type { Layer, MountPoint } from './mount-plan.ts';
import { bindLine } from './mount-table.ts';

/**
 * Creates a folder with a mount point for each entry of the layer's folder, and for missing ones. Returns the lines
 * that mount the entries of this machine in it. Other files that a container writes stay in it. Synchronous, because so
 * many small calls cost several times more as promises.
 */
export function makeSkeleton({ folder, points }: Layer, skeleton: string): string {
  mkdirSync(skeleton, { recursive: true });
  const missing = new Set(points.map(({ path }) => path));
  const entries = entriesOfFolder(folder).filter(({ name }) => !missing.has(join(folder, name)));
  let lines = '';
  for (const entry of inOrder(entries, folder, skeleton)) {
    const [from, to] = [join(folder, entry.name), join(skeleton, entry.name)];
    if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), to);
    } else {
      makePoint({ path: to, is: entry.isDirectory() ? 'folder' : 'file' });
      lines += bindLine(from, to, ['nofail']); // it may be gone when it is mounted
    }
  }
  for (const { path, is } of points) makePoint({ path: join(skeleton, relative(folder, path)), is });
  chmodSync(skeleton, statSync(folder).mode & 0o7777);
  return lines;
}

export function makePoint({ path, is }: MountPoint): void {
  mkdirSync(is === 'folder' ? path : dirname(path), { recursive: true });
  if (is === 'file') writeFileSync(path, '', { flag: 'a' });
}

/** A folder that this process may not read is empty inside the container, too. */
function entriesOfFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'EACCES') return [];
    throw error;
  }
}

/** Mounts the folder that contains the skeleton first: later it would include everything mounted there. */
function inOrder(entries: readonly Dirent[], folder: string, skeleton: string): Dirent[] {
  const holds = ({ name }: Dirent) => isWithin(skeleton, join(folder, name));
  return [...entries.filter(holds), ...entries.filter((entry) => !holds(entry))];
}
