import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodePackage, PREFERRED } from '../../runtime/node-runtime.mjs';
import { ROOT } from '../package/entries.ts';
import { noticesFor } from '../package/notices.ts';
import { buildProgram } from '../package/program.ts';
import { runNpm } from '../run-npm.mjs';
import { type ImagePlatform, PLATFORMS } from './platforms.ts';
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

const FILES = [
  ...['package.json', 'LICENSE', 'cli/bin.mjs', 'runtime/node-runtime.mjs'],
  'deploy/image/health-check.mjs',
];

/** Fills a folder with signalbox itself, as its npm package has it but without the library: for any platform. */
async function makeApp(app: string): Promise<void> {
  for (const file of FILES) cpSync(join(ROOT, file), join(app, file));
  // As deep as dist/, so that maps name sources as there.
  const dist = mkdtempSync(join(ROOT, 'dist-image-'));
  try {
    writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesFor(await buildProgram(dist)));
    cpSync(dist, join(app, 'dist'), { recursive: true });
  } finally {
    rmSync(dist, { recursive: true });
  }
}

const run = promisify(execFile);

/** Puts Node where the official images have it, with its licence. The binary comes from npm, as that of a checkout. */
async function makeNode(root: string, platform: ImagePlatform, scratch: string): Promise<void> {
  const { cpu, node: digest } = PLATFORMS[platform];
  const name = nodePackage({ platform: 'linux', arch: cpu });
  runNpm(`fetching Node ${PREFERRED} for ${platform}`, [
    ...['pack', `${name}@${PREFERRED}`],
    ...['--pack-destination', scratch],
  ]);
  const archive = join(scratch, `${name}-${PREFERRED}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== digest)
    throw new Error(
      `${name}@${PREFERRED}: expected ${digest}, got ${found}.\nAfter a change of PREFERRED, set it in scripts/image/platforms.ts.`,
    );
  const target = join(root, 'usr/local');
  mkdirSync(target, { recursive: true });
  await run('tar', [
    ...['--extract', `--file=${archive}`, `--directory=${target}`, '--strip-components=1'],
    ...['package/bin/node', 'package/LICENSE'],
  ]);
}

/** Maps, types, C++ and texts: no program reads them. Licences are kept. */
const UNREAD = /\.(map|md|markdown|flow|puml|[cm]?ts|cc|h)$/i;
const LICENCE = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i;

/** Fills a folder with the packages of package-lock.json that worker, watcher and command line load. */
function makePackages(app: string, platform: ImagePlatform): void {
  const { cpu, core } = PLATFORMS[platform];
  mkdirSync(join(app, 'packages/sandbox'), { recursive: true });
  const files = ['package.json', 'package-lock.json', '.npmrc', 'packages/sandbox/package.json'];
  for (const file of files) cpSync(join(ROOT, file), join(app, file));
  runNpm(`installing the packages for ${platform}`, [
    ...['ci', '--prefix', app, '--omit=dev', '--workspaces=false', '--ignore-scripts', '--prefer-offline'],
    ...[`--cpu=${cpu}`, '--os=linux', '--libc=glibc'],
  ]);
  for (const file of files) rmSync(join(app, file));
  rmSync(join(app, 'packages'), { recursive: true });
  removeUnread(join(app, 'node_modules'), core);
}

function removeUnread(modules: string, core: string): void {
  const bridge = join(modules, '@temporalio/core-bridge');
  const others = readdirSync(join(bridge, 'releases')).filter((name) => name !== core);
  const folders = [
    ...['.bin', '.package-lock.json'].map((name) => join(modules, name)),
    // The library's own sources, and what it is for other platforms.
    ...['sdk-core', 'src', 'bridge-macros'].map((name) => join(bridge, name)),
    ...others.map((name) => join(bridge, 'releases', name)),
  ];
  for (const path of folders) rmSync(path, { recursive: true, force: true });
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name))
      rmSync(join(entry.parentPath, entry.name));
}
