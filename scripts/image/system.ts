import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ImagePlatform } from './platforms.ts';

const run = promisify(execFile);

const RELEASE = 'trixie';
/** What Node and Temporal's core are linked with, Debian's name and version, and certificate authorities. */
const PACKAGES = ['base-files', 'ca-certificates', 'gcc-14-base', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** Debian's keys, from the package debian-archive-keyring: apt takes nothing that they have not signed. */
export const DEBIAN_KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Root's only, but for volumes and temporary files. */
const WRITABLE = ['tmp', 'var/tmp', 'var/lib/signalbox/evidence', 'var/lib/signalbox/record'];

/**
 * Fills a folder with the part of Debian that Node needs, of any platform: without a shell and a package manager, as no
 * script of a package runs. Needs apt-get and dpkg-deb, and no root.
 */
export async function makeSystem(root: string, platform: ImagePlatform, scratch: string): Promise<void> {
  mkdirSync(join(root, 'var/lib/dpkg/status.d'), { recursive: true });
  for (const file of await download(platform, scratch)) await unpack(file, root);
  removeWhatNobodyReads(root);
  trustDebiansAuthorities(root);
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/none\nsignalbox:x:1000:1000::/tmp:/none\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nsignalbox:x:1000:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  await run('chmod', ['--recursive', 'a+rX,u+w,go-w', root]);
  for (const folder of WRITABLE) mkdirSync(join(root, folder), { recursive: true });
  for (const folder of WRITABLE) chmodSync(join(root, folder), 0o1777);
}

/** Gives the files of all packages. */
async function download(platform: ImagePlatform, scratch: string): Promise<readonly string[]> {
  const folder = join(scratch, 'debian');
  const packages = join(folder, 'packages');
  for (const path of ['lists/partial', 'archives/partial', 'packages'])
    mkdirSync(join(folder, path), { recursive: true });
  const apt = optionsOfApt(folder, platform);
  writeFileSync(join(folder, 'sources.list'), SOURCES);
  writeFileSync(join(folder, 'status'), '');
  await run('apt-get', [...apt, '--error-on=any', 'update']);
  await run('apt-get', [...apt, 'download', ...PACKAGES], { cwd: packages });
  return readdirSync(packages).map((name) => join(packages, name));
}

const SOURCES = [
  `debian ${RELEASE} main`,
  `debian ${RELEASE}-updates main`,
  `debian-security ${RELEASE}-security main`,
]
  .map((source) => `deb [signed-by=${DEBIAN_KEYS}] http://deb.debian.org/${source}\n`)
  .join('');

/** With this machine's proxies, but with neither its sources nor its packages. */
const optionsOfApt = (folder: string, platform: ImagePlatform): readonly string[] =>
  Object.entries({
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': folder,
    'Dir::State::Status': join(folder, 'status'),
    'Dir::Cache': folder,
    'APT::Architecture': platform,
    'APT::Architectures': platform,
    // The folder need not be open to apt's own user.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  }).map(([name, value]) => `--option=${name}=${value}`);

/** Also records it as scanners of images expect where there is no package manager. */
async function unpack(file: string, root: string): Promise<void> {
  await run('dpkg-deb', ['--extract', file, root]);
  const { stdout } = await run('dpkg-deb', ['--field', file]);
  writeFileSync(join(root, 'var/lib/dpkg/status.d', basename(file).split('_')[0]!), stdout);
}

/** All but copyright notices, and the scripts that would need a shell. */
function removeWhatNobodyReads(root: string): void {
  for (const path of ['etc/profile.d', 'etc/skel', 'etc/update-motd.d', 'usr/sbin/update-ca-certificates'])
    rmSync(join(root, path), { recursive: true });
  const shared = join(root, 'usr/share');
  for (const name of readdirSync(shared))
    if (!['ca-certificates', 'doc'].includes(name)) rmSync(join(shared, name), { recursive: true });
  for (const name of readdirSync(join(shared, 'doc'), { recursive: true, encoding: 'utf8' }))
    if (/\/(?!copyright$)[^/]+$/.test(name))
      rmSync(join(shared, 'doc', name), { recursive: true, force: true });
}

/** As the package's own script does with its defaults. This machine's authorities are none of the image's. */
function trustDebiansAuthorities(root: string): void {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  const all = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), all.join(''));
}
