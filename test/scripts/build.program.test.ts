import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { loadingOf } from '../cli/loaded-modules.ts';
import { signalbox } from '../cli/process.ts';
import { installBuiltPackage, PACKAGE } from './built-package.ts';

const MANIFEST = 'examples/pytorch/ddp-node/job.yaml';
let dir: string;
let server: Awaited<ReturnType<typeof startFakeTemporal>>;

beforeAll(async () => {
  dir = installBuiltPackage();
  server = await startFakeTemporal();
});
afterAll(() => {
  server.stop();
  rmSync(dir, { recursive: true });
});

const options = () => ({ program: join(dir, 'cli/bin.mjs'), env: { TEMPORAL_ADDRESS: server.address } });

describe('the published package', () => {
  test.each([
    [['--help']],
    [['version', '-o', 'yaml']],
    [['config']],
    [['validate', MANIFEST]],
    [['render', MANIFEST]],
    [['list']],
    [['get', 'live', '-o', 'yaml']],
    [['get', 'unknown']],
    [['submit', MANIFEST]],
    [['sandbox', 'status', '--dir', '/nowhere']],
  ])('prints the same as the checkout for %j', async (args) => {
    const { env } = options();
    const [packaged, ours] = await Promise.all([signalbox(args, options()), signalbox(args, { env })]);
    expect(packaged).toEqual(ours);
  });

  test.each([[['get', 'live']], [['list']], [['history', 'live']], [['submit', MANIFEST]]])(
    'loads one file of its own for %j',
    async (args) => {
      const loading = await loadingOf(args, options());
      expect(loading).toMatchObject({ code: 0, packages: [] });
      expect(loading.ownFiles).toEqual(['cli/bin.mjs', 'dist/main.cjs', 'scripts/node-runtime.mjs']);
    },
  );

  test('names the sources in a stack trace', async () => {
    const { stderr } = await signalbox(['submit', '-', '--debug'], { ...options(), stdin: '' });
    expect(stderr).toMatch(/at readDocuments \(.*cli\/input\/documents\.ts:\d+:\d+\)/);
  });

  test('starts workers and watchers', async () => {
    const load = (file: string) => `Object.keys(await import('${pathToFileURL(join(dir, 'dist', file))}'))`;
    const script = `console.log(${load('worker.mjs')}.join(), ${load('watcher.mjs')}.join())`;
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('startWorker startWatcher\n');
    expect(readFileSync(join(dir, 'dist/workflow-bundle.js'), 'utf8')).toContain('trainingJob');
  });

  test('names no folder of the machine that built it', () => {
    const bundle = readFileSync(join(dir, 'dist/workflow-bundle.js'), 'utf8');
    const [, map] = /sourceMappingURL=data:[^,]+;base64,([\w+/=]+)\s*$/.exec(bundle)!;
    const { sources } = JSON.parse(Buffer.from(map!, 'base64').toString()) as { sources: readonly string[] };
    expect(sources).toContain('workflows/training-job.ts');
    expect(sources.filter((path) => path.startsWith('/'))).toEqual([]);
  });

  test('replays a recorded history', () => {
    const history = join(import.meta.dirname, '..', 'replay', 'histories', 'examined.json');
    const script = `
      const { replayJobs } = await import('${pathToFileURL(join(dir, 'dist/replay-jobs.mjs'))}');
      const { default: run } = await import('${pathToFileURL(history)}', { with: { type: 'json' } });
      for await (const { entries, error } of replayJobs([{ workflowId: 'examined', runs: [run] }]))
        console.log(entries.length, error);`;
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('10 undefined\n');
  });

  test('depends on every package that is not in its bundles', () => {
    const used = readdirSync(join(dir, 'dist'))
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => importsOf(readFileSync(join(dir, 'dist', name), 'utf8')));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !(packageOf(name) in PACKAGE.dependencies))).toEqual([]);
  });
});

const importsOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import\()\s?"([^".][^"]*)"/g)]
    .map(([, target]) => target!)
    .filter((target) => !isBuiltin(target));

const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
