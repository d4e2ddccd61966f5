import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { expand } from '../expansion.ts';
import type { RunnableContainer } from '../fields.ts';
import type { VolumeMount } from '../volumes/fields.ts';
import type { VolumeSource } from '../volumes/volume-kinds.ts';
import type { Mount } from './mount.ts';

type SourceOf = (volume: string) => VolumeSource | undefined;

/** Returns the mounts of a container's `volumeMounts`. Creates a folder for a `subPath` that does not exist. */
export async function containerMounts(
  { volumeMounts = [] }: RunnableContainer,
  variables: Readonly<Record<string, string>>,
  sourceOf: SourceOf,
): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const mount of volumeMounts) {
    const volume = sourceOf(mount.name);
    if (!volume) continue; // the token of a service account: there is none here
    const source = await subPathOf(volume.path, subPath(mount, variables));
    const target = await withoutLinks(resolve('/', mount.mountPath));
    mounts.push({ target, source, readOnly: volume.readOnly || mount.readOnly === true });
  }
  return mounts;
}

/** Resolves the links in the existing part of a path, such as /var/run. */
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
 * Resolves links: a container keeps the file that it started with, so a single mounted file of a ConfigMap is not
 * updated, as on a kubelet.
 */
async function subPathOf(volume: string, path: string): Promise<string> {
  if (!path) return volume;
  const inside = join(volume, resolve('/', path));
  const exists = await stat(inside).catch(() => undefined);
  if (!exists) await mkdir(inside, { recursive: true });
  return realpath(inside);
}
