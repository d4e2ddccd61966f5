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
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../../engine.ts';
import { isWithin, type Mount } from './mount.ts';
import { type Layer, type MountPlan, type MountPoint, planMounts } from './mount-plan.ts';
import { bindLine, restrictionsOf } from './mount-table.ts';

/** The files that define a container's root file system. */
export interface ContainerRootfs {
  /** Tables for `mount --all`: first entries of this machine, which may fail; then required mounts. */
  readonly entries: string;
  readonly mounts: string;
  /** The container's root folder; empty if it uses the machine's. */
  readonly root: string;
}

/**
 * Writes everything that the mounts of a container need to `dir`. A container with volumes gets its own root, a copy of
 * this machine's by bind mounts, so that a mount over /tmp cannot hide the source of the next one.
 */
export async function makeRootfs(mounts: readonly Mount[], dir: string): Promise<ContainerRootfs> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const plan = planMounts(mounts, look);
  const isPlain = plan.layers.length === 0 && mounts.length < 2;
  const rootfs = {
    entries: join(dir, 'entries'),
    mounts: join(dir, 'mounts'),
    root: isPlain ? '' : join(dir, 'root'),
  };
  for (const point of plan.points) makePoint(point);
  const { entries, roots } = makeLayers(plan, dir, rootfs.root);
  await writeFile(rootfs.entries, entries);
  await writeFile(rootfs.mounts, roots + (await mountLines(plan.mounts, rootfs.root)));
  return rootfs;
}

function makeLayers(plan: MountPlan, dir: string, root: string) {
  let entries = '';
  let roots = '';
  if (root && !plan.layers.some(({ folder }) => folder === '/')) {
    mkdirSync(root);
    roots += bindLine('/', root);
  }
  for (const [index, layer] of plan.layers.entries()) {
    const skeleton = layer.folder === '/' ? root : join(dir, `${index}`);
    entries += makeSkeleton(layer, skeleton);
    if (skeleton !== root) roots += bindLine(skeleton, root + layer.folder);
  }
  return { entries, roots };
}

async function mountLines(mounts: readonly Mount[], root: string): Promise<string> {
  const mountInfo = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const lines = mounts.map(({ source, target, readOnly }) =>
    bindLine(source, root + target, readOnly ? ['ro', ...restrictionsOf(source, mountInfo)] : []),
  );
  return lines.join('');
}

function look(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined; // missing, or not readable
  }
}

/**
 * Creates a folder with a mount point for each entry of the layer's folder, and for missing ones. Returns the lines
 * that mount the entries of this machine in it. Other files that a container writes stay in it. Synchronous, because so
 * many small calls cost several times more as promises.
 */
function makeSkeleton({ folder, points }: Layer, skeleton: string): string {
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

function makePoint({ path, is }: MountPoint): void {
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
