import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyPackageFiles } from '../../scripts/package/assemble.ts';
import { ROOT } from '../deploy/manifests.ts';

/** What this needs of package.json. */
export const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/**
 * Builds the published package and installs it in a new folder, which it returns. The libraries are the checkout's.
 * `without`: a package, or a scope, that is not installed.
 */
export function installBuiltPackage({ without }: { readonly without?: string } = {}): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-package-')));
  assemblePackage(dir);
  linkPackages(dir, without);
  return dir;
}

/** Links the checkout's packages into a folder. */
export function linkPackages(dir: string, without?: string): void {
  const [packages, linked] = [join(ROOT, 'node_modules'), join(dir, 'node_modules')];
  if (without === undefined) symlinkSync(packages, linked);
  else {
    mkdirSync(linked);
    for (const name of readdirSync(packages).filter((one) => one !== without))
      symlinkSync(join(packages, name), join(linked, name));
  }
}

/** Puts into a folder what npm would publish: what the build makes, and what npm takes from the checkout. */
export function assemblePackage(dir: string): void {
  const build = ['--disable-warning=ExperimentalWarning', 'scripts/build.ts', join(dir, 'dist')];
  execFileSync(process.execPath, build, { cwd: ROOT, stdio: 'inherit' });
  copyPackageFiles(dir);
}
