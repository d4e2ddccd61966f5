import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@signalbox/sandbox';

const run = promisify(execFile);

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A package of Debian, unpacked beside the programs of the sandbox: it outlives a checkout, and nothing is installed. */
export const debianFolder = (name: string): string => join(cacheDir(), `${name}-of-debian`);

/** Where a program of a package is, once `hasDebianProgram` has found it. */
export const debianProgram = (name: string, program: string): string =>
  join(debianFolder(name), 'usr', 'bin', program);

/** Unpacks a package, if it is not there. Returns whether its program is there then. */
export async function hasDebianProgram(name: string, program: string): Promise<boolean> {
  const path = debianProgram(name, program);
  if (await isThere(path)) return true;
  await mkdir(dirname(debianFolder(name)), { recursive: true });
  const folder = await mkdtemp(join(dirname(debianFolder(name)), `${name}-`));
  try {
    await run('apt-get', ['download', name], { cwd: folder, timeout: 120_000 });
    const [deb] = await readdir(folder);
    await run('dpkg', ['-x', deb!, 'unpacked'], { cwd: folder });
    await rename(join(folder, 'unpacked'), debianFolder(name));
  } catch {
    // No Debian, no network, or another process was faster.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return isThere(path);
}
