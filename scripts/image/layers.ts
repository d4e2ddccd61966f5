import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeApp } from './app.ts';
import { makeNode } from './node.ts';
import { makePackages } from './packages.ts';
import type { ImagePlatform } from './platforms.ts';
import { makeSystem } from './system.ts';

/** What differs between platforms, and what is the same for all: folders that the Dockerfile copies in this order. */
export const OF_PLATFORM = ['system', 'node', 'packages'] as const;
export const OF_ALL = 'app';

/** Fills the folders of a platform below `out`; a folder beside them has what this needs meanwhile. */
export async function makePlatformFolders(out: string, platform: ImagePlatform): Promise<void> {
  const scratch = join(out, 'scratch');
  const [system, node, packages] = OF_PLATFORM.map((name) => join(out, name)) as [string, string, string];
  for (const folder of [system, node, packages, scratch]) mkdirSync(folder, { recursive: true });
  await makeSystem(system, platform, scratch);
  await makeNode(node, platform, scratch);
  makePackages(join(packages, 'app'), platform);
  for (const folder of [node, packages]) makeReadable(folder);
}

export async function makeAppFolder(out: string): Promise<void> {
  const folder = join(out, OF_ALL);
  await makeApp(join(folder, 'app'));
  makeReadable(folder);
}

/** By any user, whatever the umask of who makes it. */
function makeReadable(folder: string): void {
  execFileSync('chmod', ['--recursive', 'a+rX,u+w,go-w', folder]);
}
