import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../runtime/node-runtime.mjs';
import { runNpm } from '../run-npm.mjs';
import { type ImagePlatform, PLATFORMS } from './platforms.ts';

/** Maps, types, C++ and texts: no program reads them. Licences are kept. */
const UNREAD = /\.(map|md|markdown|flow|puml|[cm]?ts|cc|h)$/i;
const LICENCE = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i;

/** Fills a folder with the packages of package-lock.json that worker, watcher and command line load. */
export function makePackages(app: string, platform: ImagePlatform): void {
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
