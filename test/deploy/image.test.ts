import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MINIMUM } from '../../scripts/node-runtime.mjs';
import { imageFiles, ROOT } from './manifests.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What the image starts, and what the worker bundles by path. */
const ENTRIES = ['cli/bin.mjs', 'cli/main.ts', 'workflows/workflows.ts', 'deploy/image/health-check.mjs'];

/** Our own packages, by name. */
const WORKSPACES: Readonly<Record<string, string>> = { '@signalbox/sandbox': 'packages/sandbox' };

describe('the image', () => {
  const { files, packages } = runtimeClosure(ENTRIES);

  test('has every file that runs', () => {
    const allowed = imageFiles();
    const isIn = (file: string) => allowed.some((path) => file === path || file.startsWith(`${path}/`));
    expect(files.filter((file) => !isIn(file))).toEqual([]);
    expect(allowed.filter((path) => path !== 'LICENSE' && !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('has every package that runs, as a declared dependency', () => {
    // npm links its own workspaces, whoever depends on them.
    const others = packages.filter(({ name }) => !(name in WORKSPACES));
    expect(others.filter(({ name, owner }) => !dependenciesOf(owner).includes(name))).toEqual([]);
  });

  test('is based on a pinned Node that is new enough, and runs as any user', () => {
    const dockerfile = read('Dockerfile');
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    const [, version] = /^node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(bases[0]!) ?? [];
    expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(Number(MINIMUM.split('.')[0]));
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "cli\/bin.mjs"\]$/m);
  });

  test.each([
    [200, 'ok', 0],
    [503, 'worker: starting', 1],
  ])('is healthy if the process answers %i, and prints %s', async (status, text, code) => {
    const server = createServer((_, response) => response.writeHead(status).end(`${text}\n`));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    expect(await checkHealth(port)).toEqual({ code, text });
    server.close();
    server.closeAllConnections();
    expect(await checkHealth(port)).toMatchObject({ code: 1, text: expect.stringContaining('no answer') });
  });
});

function checkHealth(port: number): Promise<{ code: number; text: string }> {
  const env = { ...process.env, SIGNALBOX_HTTP_PORT: String(port), NODE_OPTIONS: '' };
  return new Promise((done) => {
    execFile(process.execPath, [join(ROOT, 'deploy/image/health-check.mjs')], { env }, (error, stdout) =>
      done({ code: error ? Number(error.code) : 0, text: stdout.trim() }),
    );
  });
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(owner: string): Manifest {
  return JSON.parse(read(join(owner, 'package.json')));
}

function dependenciesOf(owner: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(owner);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
}

function ownerOf(file: string): string {
  return Object.values(WORKSPACES).find((folder) => file.startsWith(`${folder}/`)) ?? '.';
}

/** A package, and whose dependency it has to be. */
interface Used {
  readonly name: string;
  readonly owner: string;
}

/** Our files and the packages that the entries load, at once or later; types are erased, so they do not count. */
function runtimeClosure(entries: readonly string[]): { files: string[]; packages: Used[] } {
  const files = new Set(entries);
  const packages: Used[] = [];
  for (const file of files) {
    for (const target of importsOf(read(file))) {
      if (target.startsWith('.')) files.add(relative(ROOT, resolve(ROOT, dirname(file), target)));
      else if (!isBuiltin(target)) packages.push({ name: packageOf(target), owner: ownerOf(file) });
      const folder = WORKSPACES[target];
      if (folder) files.add(join(folder, manifestOf(folder).exports!['.']!));
    }
  }
  return { files: [...files].sort(), packages };
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function importsOf(source: string): string[] {
  return [
    ...source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm),
    ...source.matchAll(/\bimport\('([^']+)'\)/g),
    ...source.matchAll(/new URL\('(\.[^']+\.(?:ts|mjs))', import\.meta\.url\)/g),
  ].map(([, target]) => target!);
}
