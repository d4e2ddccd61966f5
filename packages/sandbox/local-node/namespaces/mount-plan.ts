import { dirname } from 'node:path';
import { CreateContainerError } from '../launch-errors.ts';
import { isWithin, locate, type Mount } from './mount.ts';

/** Returns what this machine has at a path. Everything but a folder counts as a file. */
type Look = (path: string) => 'folder' | 'file' | undefined;

/** A mount point to create: a folder or a file, like the mount's source. */
export interface MountPoint {
  readonly path: string;
  readonly is: 'folder' | 'file';
}

/** A folder of this machine that lacks mount points. The container gets a private one instead. */
export interface Layer {
  readonly folder: string;
  readonly points: readonly MountPoint[];
}

export interface MountPlan {
  /** Outer ones first. The root is one of them if a mount point beside /usr and /home is missing. */
  readonly layers: readonly Layer[];
  /** Mount points to create inside volumes, as container runtimes do; paths of this machine. */
  readonly points: readonly MountPoint[];
  /** Outer ones first. */
  readonly mounts: readonly Mount[];
}

/**
 * Plans mount points without changing this machine. Mounts over a target that exists. For others, replaces the nearest
 * existing folder, for this container only, by a private one with the same entries.
 */
export function planMounts(unsorted: readonly Mount[], look: Look): MountPlan {
  const mounts = [...unsorted].sort(byPath(({ target }) => target));
  const points: MountPoint[] = [];
  const layers = new Map<string, MountPoint[]>();
  for (const [index, mount] of mounts.entries()) {
    const outer = mounts.slice(0, index).filter(({ target }) => isWithin(mount.target, target));
    const path = locate(mount.target, outer);
    const found = look(path);
    const is = look(mount.source) ?? found ?? 'folder'; // if the source has gone meanwhile, `mount` fails
    if (found) assertAlike(mount, { is, found });
    else if (outer.length > 0) points.push({ path: path, is });
    else push(layers, nearestFolder(mount.target, look), { path: mount.target, is });
  }
  const sorted = [...layers].sort(byPath(([folder]) => folder));
  return { layers: sorted.map(([folder, missing]) => ({ folder, points: missing })), points, mounts };
}

function assertAlike({ target }: Mount, { is, found }: { is: string; found: string }): void {
  if (target === '/') throw new CreateContainerError('mountPath /: nothing can be mounted at the root');
  if (is === found) return;
  throw new CreateContainerError(
    `mountPath ${target}: expected a ${is}, as the volume is one, found a ${found}`,
  );
}

function nearestFolder(path: string, look: Look): string {
  const parent = dirname(path);
  return parent === '/' || look(parent) === 'folder' ? parent : nearestFolder(parent, look);
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  lists.set(key, [...(lists.get(key) ?? []), item]);
}

function byPath<T>(pathOf: (item: T) => string) {
  return (a: T, b: T) => (pathOf(a) < pathOf(b) ? -1 : 1);
}
