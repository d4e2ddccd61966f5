import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PREFERRED } from '../../runtime/node-runtime.mjs';
import { configOfDockerfile } from '../../scripts/image/dockerfile.ts';
import { ROOT } from './manifests.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Not in the image: the command line works without it. */
const SANDBOX = '@signalbox/sandbox';

/** What the image starts, and what the worker bundles by path. */
const PROGRAM = ['cli/bin.mjs', 'cli/main.ts', 'workflows/workflows.ts', 'deploy/image/health-check.mjs'];
/** What the Dockerfile runs to make it. */
const BUILD = ['scripts/run.mjs', 'scripts/build-image.ts'];

describe('the image', () => {
  test('can be made from what Docker gets', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const isIn = (file: string) => allowed.some((path) => file === path || file.startsWith(`${path}/`));
    expect(runtimeClosure([...PROGRAM, ...BUILD]).files.filter((file) => !isIn(file))).toEqual([]);
    expect(allowed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('has every package that runs, as a declared dependency', () => {
    const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
    const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies), SANDBOX];
    const { packages } = runtimeClosure(PROGRAM);
    expect(packages.filter((name) => !declared.includes(name))).toEqual([]);
  });

  test('has the Node of a checkout, and runs as any user', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toContain(` node:${PREFERRED}-`);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(configOfDockerfile()).toMatchObject({
      Entrypoint: ['node', 'cli/bin.mjs'],
      Env: expect.arrayContaining(['PATH=/usr/local/bin', 'SIGNALBOX_HTTP_PORT=9464']),
      ExposedPorts: { '9464/tcp': {} },
      Labels: { 'org.opencontainers.image.title': 'signalbox' },
    });
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

/** Our files and the packages that the entries load, at once or later; types are erased, so they do not count. */
function runtimeClosure(entries: readonly string[]): { files: string[]; packages: string[] } {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    for (const target of importsOf(read(file))) {
      if (target.startsWith('.')) files.add(relative(ROOT, resolve(ROOT, dirname(file), target)));
      else if (!isBuiltin(target)) packages.add(packageOf(target));
    }
  }
  return { files: [...files].sort(), packages: [...packages] };
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
