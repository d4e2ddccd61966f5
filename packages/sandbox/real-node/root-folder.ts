import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from './command.ts';
import { findProgram } from './requirements.ts';

/** Creates a root file system with a shell and the usual tools. */
export async function makeRootFolder(root: string): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['bin', 'dev', 'etc', 'proc', 'root', 'sys', 'tmp', 'usr', 'var/tmp'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ['tmp', 'var/tmp']) chmodSync(join(root, folder), 0o1777);
  symlinkSync('../bin', join(root, 'usr/bin')); // scripts begin with #!/usr/bin/env
  await installBusybox(root);
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
}

async function installBusybox(root: string): Promise<void> {
  const busybox = findProgram('busybox')!;
  const target = join(root, 'bin/busybox');
  copyFileSync(busybox, target);
  chmodSync(target, 0o755);
  const names = (await run(busybox, ['--list'])).split('\n').filter((name) => name && name !== 'busybox');
  for (const name of names) symlinkSync('busybox', join(root, 'bin', name));
}

/** Adds the Node that runs this process, with its libraries. */
export const installNode = (root: string): Promise<void> => installProgram(root, process.execPath, 'node');

/** Adds a program of this machine, with its libraries, to `/usr/local/bin`. */
export async function installProgram(
  root: string,
  program: string,
  name: string = basename(program),
): Promise<void> {
  copyProgram(program, join(root, 'usr/local/bin', name));
  await installLibraries(root, program);
}

/** Adds this machine's libraries that a program or shared object is linked with. */
export async function installLibraries(root: string, program: string): Promise<void> {
  for (const library of await librariesOf(program)) copyProgram(library, join(root, library));
}

function copyProgram(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

/**
 * `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x...)`, and the loader alone: `/lib64/ld-linux-x86-64.so.2 (0x...)`.
 */
async function librariesOf(program: string): Promise<string[]> {
  const listed = await run('ldd', [program]);
  return listed.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
