import { mkdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount } from './mount.ts';
import { type MountPlan, planMounts } from './mount-plan.ts';
import { bindLine, restrictionsOf } from './mount-table.ts';
import { makePoint, makeSkeleton } from './skeleton.ts';

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
