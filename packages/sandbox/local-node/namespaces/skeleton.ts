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
import { isWithin } from './mount.ts';
import type { Layer, MountPoint } from './mount-plan.ts';
import { bindLine } from './mount-table.ts';

/**
 * Makes a folder with a mount point for each entry of the layer's folder, and for what is missing there; answers with
 * the lines that let the entries of this machine appear in it. What a container writes beside them stays in it. Synchronous: that many small calls cost several times more as promises.
 */
export function makeSkeleton({ folder, points }: Layer, skeleton: string): string {
  mkdirSync(skeleton, { recursive: true });
  const missing = new Set(points.map(({ path }) => path));
  const entries = entriesOf(folder).filter(({ name }) => !missing.has(join(folder, name)));
  let lines = '';
  for (const entry of inOrder(entries, folder, skeleton)) {
    const [from, to] = [join(folder, entry.name), join(skeleton, entry.name)];
    if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), to);
    } else {
      makePoint({ path: to, is: entry.isDirectory() ? 'folder' : 'file' });
      lines += bindLine(from, to, ['nofail']); // it may be gone by then
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

/** A folder that we may not read shows nothing inside of a container either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw error;
  }
}

/** The one that holds the skeleton first: later it would bring along all that is mounted there by then. */
function inOrder(entries: readonly Dirent[], folder: string, skeleton: string): Dirent[] {
  const holds = ({ name }: Dirent) => isWithin(skeleton, join(folder, name));
  return [...entries.filter(holds), ...entries.filter((entry) => !holds(entry))];
}
