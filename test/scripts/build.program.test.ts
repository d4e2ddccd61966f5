import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { DUCKDB } from '../../record/audit/duckdb.ts';
import { appendToLog } from '../../record/log/append.ts';
import { freePort } from '../../worker/free-port.ts';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { loadingOf } from '../cli/loaded-modules.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { NOBODYS_CLUSTER } from '../nobodys-cluster.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aSigner } from '../record/log/a-log.ts';
import { installBuiltPackage, linkPackages, PACKAGE } from './built-package.ts';

const MANIFEST = 'examples/pytorch/ddp-node/job.yaml';
/** What commands load that connect. */
const TEMPORAL = ['temporal-messages', 'temporal'];
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

  test.each([[['get', 'stored', '-o', 'yaml']], [['submit', MANIFEST]]])(
    'keeps payloads in an external storage as the checkout does for %j',
    async (args) => {
      const converter = join(dir, 'stored.mjs');
      writeFileSync(converter, STORING);
      const env = { ...options().env, SIGNALBOX_DATA_CONVERTER: converter };
      const [packaged, ours] = await Promise.all([
        signalbox(args, { ...options(), env }),
        signalbox(args, { env }),
      ]);
      expect(packaged).toEqual(ours);
      expect(ours).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(stored|retrieved) /) });
    },
  );

  test('reads a kubeconfig as the checkout does, and runs what it names for credentials', async () => {
    const kubeconfig = join(dir, 'kubeconfig-with-exec');
    writeFileSync(kubeconfig, JSON.stringify(withExec(JSON.parse(NOBODYS_CLUSTER))));
    const env = { ...options().env, SIGNALBOX_KUBECONFIG: kubeconfig };
    const args = ['logs', 'live'];
    const [packaged, ours] = await Promise.all([
      signalbox(args, { ...options(), env }),
      signalbox(args, { env }),
    ]);
    expect(packaged).toEqual(ours);
    expect(ours.stderr).toContain('has no credentials today');
  });

  test.each([
    { args: ['--help'], packages: [] },
    { args: ['--version'], packages: [] },
    { args: ['get', 'live'], packages: ['kubeconfig', ...TEMPORAL, 'undici'] },
    { args: ['list'], packages: TEMPORAL },
    { args: ['history', 'live'], packages: TEMPORAL },
    { args: ['submit', MANIFEST], packages: ['re2js', ...TEMPORAL, 'yaml', 'zod'] },
  ])('loads one file of its own, and the packages it needs, for $args', async ({ args, packages }) => {
    // Node does not see what the cache of compiled code loads.
    const env = { ...options().env, NODE_DISABLE_COMPILE_CACHE: '1' };
    const loading = await loadingOf(args, { ...options(), env });
    expect(loading).toMatchObject({ code: 0, packages: [] });
    expect(loading.ownFiles).toEqual([
      ...['cli/bin.mjs', 'dist/main.cjs', ...packages.map((name) => `dist/package-${name}.cjs`)],
      'runtime/code-cache.mjs',
      'runtime/node-runtime.mjs',
    ]);
  });

  describe('keeps compiled code', () => {
    let cache: string;
    beforeEach(() => {
      cache = mkdtempSync(join(tmpdir(), 'signalbox-code-'));
    });
    afterEach(() => rmSync(cache, { recursive: true }));
    const list = (env: Readonly<Record<string, string>> = {}) =>
      signalbox(['list'], {
        ...options(),
        env: { ...options().env, NODE_COMPILE_CACHE: cache, ...env },
      });
    const kept = () =>
      readdirSync(cache, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.cjs'))
        .map((name) => join(cache, name))
        .sort();
    const names = () => kept().map((path) => basename(path));
    const LIST = ['list-main.cjs', 'package-temporal-messages.cjs', 'package-temporal.cjs'];

    test('of each command and each library, once', async () => {
      const first = await list();
      expect(names()).toEqual(LIST);
      const written = kept().map((path) => statSync(path).mtimeMs);
      expect(await list()).toEqual(first);
      expect(kept().map((path) => statSync(path).mtimeMs)).toEqual(written);
    });

    test('replaces that of another version, and of another Node', async () => {
      const first = await list();
      const [ofCommand, ofMessages] = kept();
      const code = readFileSync(ofCommand!);
      writeFileSync(ofCommand!, Buffer.concat([code.subarray(0, -1), Buffer.from('?')]));
      const messages = readFileSync(ofMessages!);
      writeFileSync(ofMessages!, Buffer.concat([Buffer.alloc(messages.length - 64), messages.subarray(-64)]));
      expect(await list()).toEqual(first);
      expect(readFileSync(ofCommand!).subarray(-64)).toEqual(code.subarray(-64));
      expect(readFileSync(ofMessages!).subarray(0, 8)).toEqual(messages.subarray(0, 8));
      expect(names()).toEqual(LIST);
    });

    test('keeps none of a command that fails, and none where Node shall keep none', async () => {
      await list({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
      await list({ NODE_DISABLE_COMPILE_CACHE: '1' });
      expect(names()).toEqual([]);
    });

    test('does without a home that cannot be made', async () => {
      const env = { ...options().env, HOME: '/proc/none', XDG_CACHE_HOME: '' };
      expect(await signalbox(['list'], { ...options(), env })).toEqual(await list());
    });
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

/** A data converter with a storage that has the status of a job, and takes what is given to it. */
const STORING = `
  import { ExternalStorage } from '@temporalio/common';
  const status = { kind: 'PyTorchJob', name: 'stored', namespace: 'default', phase: 'Running', state: 'Running', attempt: 1,
    restarts: 0, conditions: [], replicaStatuses: {}, startTime: '2026-01-01T00:00:00.000Z', warnings: [], timeline: [] };
  const driver = {
    name: 'shelf',
    type: 'shelf',
    async store(_context, payloads) {
      console.error('stored', payloads.length);
      return payloads.map(() => ({ claimData: { shelf: '7' } }));
    },
    async retrieve(_context, claims) {
      console.error('retrieved', JSON.stringify(claims.map(({ claimData }) => claimData)));
      return claims.map(() => ({
        metadata: { encoding: Buffer.from('json/plain') },
        data: Buffer.from(JSON.stringify(status)),
      }));
    },
  };
  export default { externalStorage: new ExternalStorage({ drivers: [driver], payloadSizeThreshold: 0 }) };
`;

/** A kubeconfig whose user gets credentials from a program, which has none. */
const withExec = (config: object) => ({
  ...config,
  users: [
    {
      name: 'nobody',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'sh',
          args: ['-c', 'echo sh has no credentials today >&2; exit 1'],
          interactiveMode: 'Never',
        },
      },
    },
  ],
});

/** Copies the package into its own folder, beside all packages of the checkout but this one. */
function copyWithoutDuckDB(): string {
  // Not below the package, where Node would look for other packages, too.
  const copy = mkdtempSync(join(tmpdir(), 'signalbox-without-duckdb-'));
  for (const path of ['cli', 'dist', 'runtime', 'package.json'])
    cpSync(join(dir, path), join(copy, path), { recursive: true });
  linkPackages(copy, '@duckdb');
  return copy;
}

const importsOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import\()\s?"([@a-z][^"\s]*)"/g)]
    .map(([, target]) => target!)
    .filter((target) => !isBuiltin(target));

const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
