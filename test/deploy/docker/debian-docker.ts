import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@signalbox/sandbox';

const execute = promisify(execFile);

const PACKAGES = ['docker.io', 'tini'];
const FOLDER = join(cacheDir(), 'docker.io');

/**
 * The root folder of dockerd, docker and docker-init of Debian's package, which is unpacked and not installed: that would
 * start an engine for the whole machine, and leave it there.
 */
export async function ensureDocker(): Promise<string> {
  if (!existsSync(FOLDER)) await unpackTo(FOLDER);
  return FOLDER;
}

/** With this machine's sources, whose packages fit its libraries, but with lists of their own. */
async function unpackTo(folder: string): Promise<void> {
  await mkdir(cacheDir(), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    const [apt, root] = [join(draft, 'apt'), join(draft, 'root')];
    for (const path of [join(apt, 'lists/partial'), join(apt, 'archives/partial'), root])
      await mkdir(path, { recursive: true });
    await execute('apt-get', [...optionsOf(apt), 'update']);
    await execute('apt-get', [...optionsOf(apt), 'download', ...PACKAGES], { cwd: apt });
    for (const name of (await readdir(apt)).filter((file) => file.endsWith('.deb')))
      await execute('dpkg-deb', ['--extract', join(apt, name), root]);
    await rename(root, folder);
  } finally {
    await rm(draft, { recursive: true });
  }
}

const optionsOf = (folder: string): readonly string[] =>
  Object.entries({
    'Dir::State': folder,
    'Dir::State::Status': '/var/lib/dpkg/status',
    'Dir::Cache': folder,
    // The folder need not be open to apt's own user.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  }).map(([name, value]) => `--option=${name}=${value}`);
