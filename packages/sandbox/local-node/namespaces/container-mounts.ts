import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { expand } from '../expansion.ts';
import type { RunnableContainer } from '../fields.ts';
import type { VolumeMount } from '../volumes/fields.ts';
import type { VolumeSource } from '../volumes/volume-kinds.ts';
import type { Mount } from './mount.ts';

export type SourceOf = (volume: string) => VolumeSource | undefined;

/** A container's `volumeMounts`. A `subPath` may name what is not there yet: it becomes a folder. */
export async function containerMounts(
  { volumeMounts = [] }: RunnableContainer,
  variables: Readonly<Record<string, string>>,
  sourceOf: SourceOf,
): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const mount of volumeMounts) {
    const volume = sourceOf(mount.name);
    if (!volume) continue; // a service account's token: there is none here
    const source = await subPathOf(volume.path, subPath(mount, variables));
    const target = await withoutLinks(resolve('/', mount.mountPath));
    mounts.push({ target, source, readOnly: volume.readOnly || mount.readOnly === true });
  }
  return mounts;
}

/** The path that a mount takes on this machine: whatever of it exists may lead through links, such as /var/run. */
export async function withoutLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await withoutLinks(dirname(path)), basename(path));
  }
}

function subPath(mount: VolumeMount, variables: Readonly<Record<string, string>>): string {
  return mount.subPathExpr ? expand(mount.subPathExpr, variables) : (mount.subPath ?? '');
}

/**
 * The place itself and not a link to it: what is mounted stays what it was when the container started, so a file of a
 * ConfigMap that is mounted by itself is not updated, as on a kubelet.
 */
async function subPathOf(volume: string, path: string): Promise<string> {
  if (!path) return volume;
  const inside = join(volume, resolve('/', path));
  const exists = await stat(inside).catch(() => undefined);
  if (!exists) await mkdir(inside, { recursive: true });
  return realpath(inside);
}
