import { createHash } from 'node:crypto';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../runtime/node-runtime.mjs';
import { runNpm } from './run-npm.mjs';

const MODULES = join(ROOT, 'node_modules');
/** Inside node_modules, so that it is deleted with them. */
const STAMP = join(MODULES, '.signalbox-lock');

/** Returns whether node_modules matches package-lock.json. */
export async function areDependenciesCurrent() {
  const lock = await lockDigest();
  if ((await readText(STAMP)) === lock) return true;
  if (!(await isInstalledAsLocked())) return false;
  await finish(lock); // the user ran npm directly
  return true;
}

export async function installDependencies() {
  runNpm('installing the libraries of package-lock.json', ['ci']);
  await finish(await lockDigest());
}

async function finish(lock) {
  await linkOwnProgram();
  await writeFile(STAMP, lock);
}

/** With a link, `npx signalbox` starts at once; otherwise npx first installs the checkout into its cache. */
async function linkOwnProgram() {
  if (process.platform === 'win32') return; // npx finds it there without a link, but slowly
  const link = join(MODULES, '.bin', 'signalbox');
  await rm(link, { force: true });
  await symlink(join('..', '..', 'cli', 'bin.mjs'), link);
}

const lockDigest = async () =>
  createHash('sha256')
    .update(await readFile(join(ROOT, 'package-lock.json')))
    .digest('hex');

/** Reads npm's record of installed packages, which rightly lacks packages for other platforms. */
async function isInstalledAsLocked() {
  const installed = await packagesOf(join(MODULES, '.package-lock.json'));
  if (!installed) return false;
  const locked = (await packagesOf(join(ROOT, 'package-lock.json'))) ?? {};
  return Object.entries(locked).every(([path, { version, optional, devOptional, peer }]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === version : Boolean(optional || devOptional || peer);
  });
}

async function packagesOf(path) {
  const text = await readText(path);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

const readText = (path) => readFile(path, 'utf8').catch(() => undefined);
