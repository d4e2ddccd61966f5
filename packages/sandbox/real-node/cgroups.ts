import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The cgroup hierarchies: one for each controller of version 1, one for version 2, or both. */
function hierarchies(): { path: string; type: string }[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return mounts.flatMap((line) => {
    const [, path = '', type = ''] = line.split(' ');
    return type.startsWith('cgroup') ? [{ path, type }] : [];
  });
}

/** The hierarchies with controllers. Where version 1 is mounted, version 2 has none. */
function controlling(): string[] {
  const all = hierarchies();
  const legacy = all.filter(({ type }) => type === 'cgroup');
  return (legacy.length > 0 ? legacy : all).map(({ path }) => path);
}

/** Creates the group, e.g. `/signalbox-201/node-1`, in every hierarchy with controllers, as a kubelet requires. */
export function makeCgroup(name: string): void {
  for (const root of controlling()) {
    let at = root;
    for (const part of name.split('/').filter(Boolean)) {
      const unified = join(at, 'cgroup.subtree_control');
      if (existsSync(unified)) enableControllers(at, unified);
      const parent = at;
      at = join(at, part);
      mkdirSync(at, { recursive: true });
      // In version 1 a new group has no CPUs, and then accepts no process.
      for (const file of ['cpuset.cpus', 'cpuset.mems']) copyWhereEmpty(join(parent, file), join(at, file));
    }
  }
}

/** Removes the group and its children when the last process has ended. */
export async function removeCgroup(name: string, withinMs = 10_000): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    const left = hierarchies()
      .map(({ path }) => join(path, name))
      .filter((path) => !removeTree(path));
    if (left.length === 0) return;
    if (Date.now() > until) throw new Error(`${left.join(', ')}: still in use after ${withinMs / 1000} s`);
    await delay(50);
  }
}

function enableControllers(at: string, file: string): void {
  const controllers = readFileSync(join(at, 'cgroup.controllers'), 'utf8').trim().split(/\s+/);
  writeFileSync(file, controllers.map((name) => `+${name}`).join(' '));
}

function copyWhereEmpty(from: string, to: string): void {
  if (existsSync(to) && existsSync(from) && readFileSync(to, 'utf8').trim() === '')
    writeFileSync(to, readFileSync(from, 'utf8'));
}

/** Removes the folders only: the kernel removes the files in them. */
function removeTree(path: string): boolean {
  if (!existsSync(path)) return true;
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) removeTree(join(path, name));
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
