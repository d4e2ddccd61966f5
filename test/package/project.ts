import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../deploy/manifests.ts';
import { assemblePackage } from '../scripts/built-package.ts';

/** A project of somebody else: an empty folder with packages in its node_modules. */
export interface Project {
  readonly dir: string;
  /** Writes a file and returns its path. */
  write(name: string, text: string): string;
  /** Runs Node in the folder and returns what it prints. */
  node(...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** Each puts into a folder what npm would publish. */
const ASSEMBLE = { signalbox: assemblePackage, 'signalbox-client': assembleClientPackage } as const;
type PackageName = keyof typeof ASSEMBLE;

/**
 * Installs a package as npm packs it. `with`: packages that the project has besides; the checkout's copies are used, and
 * all of them by default, as nothing is to be downloaded.
 */
export function createProject(name: PackageName, { withPackages = packagesOfCheckout() } = {}): Project {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'somebody-else-')));
  const modules = join(dir, 'node_modules');
  mkdirSync(modules);
  for (const other of withPackages) linkPackage(modules, other);
  unpack(name, join(modules, name));
  const write = (file: string, text: string) => {
    const path = join(dir, file);
    writeFileSync(path, text);
    return path;
  };
  write('package.json', JSON.stringify({ name: 'somebody-else', type: 'module', private: true }));
  return {
    dir,
    write,
    node: async (...args) => (await promisify(execFile)(process.execPath, args, { cwd: dir })).stdout,
    remove: () => rmSync(dir, { recursive: true }),
  };
}

/** Built packages, as each takes seconds. */
const unpacked = new Map<string, string>();

function unpack(name: PackageName, target: string): void {
  const built = unpacked.get(name);
  if (built && existsSync(built)) cpSync(built, target, { recursive: true });
  else buildAndUnpack(name, target);
  unpacked.set(name, target);
}

/** Builds the package, has npm pack it, and unpacks the tarball. */
function buildAndUnpack(name: PackageName, target: string): void {
  const packing = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-pack-')));
  try {
    const source = join(packing, 'package');
    ASSEMBLE[name](source);
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', packing, source], {
      stdio: 'pipe',
    });
    const tarball = readdirSync(packing).find((file) => file.endsWith('.tgz'))!;
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(packing, tarball), '--strip-components=1', '-C', target]);
  } finally {
    rmSync(packing, { recursive: true });
  }
}

function assembleClientPackage(dir: string): void {
  const build = ['--disable-warning=ExperimentalWarning', 'scripts/build-client.ts', dir];
  execFileSync(process.execPath, build, { cwd: ROOT });
}

const packagesOfCheckout = (): string[] =>
  readdirSync(join(ROOT, 'node_modules'))
    .filter((name) => !name.startsWith('.') && !name.startsWith('signalbox'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(ROOT, 'node_modules', name)).map((inner) => `${name}/${inner}`)
        : [name],
    );

function linkPackage(modules: string, name: string): void {
  if (name.startsWith('@')) mkdirSync(join(modules, name, '..'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
}
