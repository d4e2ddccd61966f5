import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { DUCKDB } from '../../record/audit/duckdb.ts';
import { appendToLog } from '../../record/log/append.ts';
import { freePort } from '../../worker/free-port.ts';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { loadingOf } from '../cli/loaded-modules.ts';
import { signalbox } from '../cli/process.ts';
import { ROOT } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { NOBODYS_CLUSTER } from '../nobodys-cluster.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aSigner } from '../record/log/a-log.ts';
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

  test.each([
    { args: ['get', 'live'], packages: ['undici'] },
    { args: ['list'], packages: [] },
    { args: ['history', 'live'], packages: [] },
    { args: ['submit', MANIFEST], packages: ['re2js', 'yaml', 'zod'] },
  ])('loads one file of its own, and the packages it needs, for $args', async ({ args, packages }) => {
    const loading = await loadingOf(args, options());
    expect(loading).toMatchObject({ code: 0, packages: [] });
    expect(loading.ownFiles).toEqual([
      ...['cli/bin.mjs', 'dist/main.cjs', ...packages.map((name) => `dist/package-${name}.cjs`)],
      'runtime/node-runtime.mjs',
    ]);
  });

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

  test.each(['worker', 'watcher', 'bridge'])('shows the metrics of all its bundles: %s', async (part) => {
    const port = await freePort();
    const kubeconfig = join(dir, 'kubeconfig');
    writeFileSync(kubeconfig, NOBODYS_CLUSTER);
    // Neither server answers: the process retries, and shows what it has.
    const env = {
      ...{ TEMPORAL_ADDRESS: '127.0.0.1:1', SIGNALBOX_KUBECONFIG: kubeconfig, HOME: dir },
      ...{ SIGNALBOX_HTTP_PORT: String(port), SIGNALBOX_ARCHIVE_STORE: 'none' },
    };
    const child = spawn(process.execPath, [join(dir, 'cli/bin.mjs'), part], { env, stdio: 'ignore' });
    try {
      await eventually('its page has what each bundle counts', async () => {
        const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return (
          page.includes(`signalbox_build_info{part="${part}"`) && page.includes('process_cpu_seconds_total')
        );
      });
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
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

  test('names the command that installs DuckDB, which npm does not install with it', async () => {
    const store = new FileArchiveStore(join(dir, 'archive'));
    await appendToLog(store, aSigner(), [await writeArchive(store, await someContents())]);
    const asked = ['audit', 'failures', '--archived', '--archive-dir', join(dir, 'archive')];
    const copy = copyWithoutDuckDB();
    const { code, stderr } = await signalbox(asked, { program: join(copy, 'cli/bin.mjs'), env: {} });
    rmSync(copy, { recursive: true });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Install it beside signalbox: npm install ${DUCKDB} `),
    });
  });

  test('depends on every package that is not in its bundles', () => {
    const used = readdirSync(join(dir, 'dist'))
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => importsOf(readFileSync(join(dir, 'dist', name), 'utf8')));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !(packageOf(name) in PACKAGE.dependencies))).toEqual([]);
  });
});

/** Copies the package into its own folder, beside all packages of the checkout but this one. */
function copyWithoutDuckDB(): string {
  // Not below the package, where Node would look for other packages, too.
  const copy = mkdtempSync(join(tmpdir(), 'signalbox-without-duckdb-'));
  for (const path of ['cli', 'dist', 'runtime', 'package.json'])
    cpSync(join(dir, path), join(copy, path), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => one !== '@duckdb'))
    symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  return copy;
}

const importsOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import\()\s?"([^".][^"]*)"/g)]
    .map(([, target]) => target!)
    .filter((target) => !isBuiltin(target));

const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
