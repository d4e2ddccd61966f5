import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { commandLine } from './in-process.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-config-'));
  file = join(folder, 'signalbox', 'config.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = '') =>
  commandLine(args, { env: { XDG_CONFIG_HOME: folder, ...env }, stdin });

/** Adds contexts to an empty file; the first is current. */
async function withContexts(): Promise<void> {
  await run(['context', 'add', 'prod', '--temporal-address', 'prod:7233', '-n', 'ml', '--kube-context', 'p']);
  await run(['context', 'add', 'lab', '--temporal-address', 'lab:7233', '--set', 'cluster-id=lab']);
}

/** A setting in force: its value and its source. */
async function setting(name: string, args: readonly string[] = [], env = {}) {
  const { stdout } = await run(['config', '-o', 'json', ...args], env);
  const all = JSON.parse(stdout) as { name: string; value: unknown; origin: string }[];
  const { value, origin } = all.find((one) => one.name === name)!;
  return [value, origin];
}

describe('the current context', () => {
  beforeEach(withContexts);

  test('is the first that was added, then the one that was selected with `use`', async () => {
    expect(await setting('temporalAddress')).toEqual(['prod:7233', 'context prod']);
    expect(await setting('namespace')).toEqual(['ml', 'context prod']);
    expect((await run(['context', 'use', 'lab'])).stdout).toBe('lab is the current context\n');
    expect(await setting('temporalAddress')).toEqual(['lab:7233', 'context lab']);
    expect(await setting('clusterId')).toEqual(['lab', 'context lab']);
    expect(await setting('context')).toEqual(['lab', file]);
  });

  test('is none after `use --none`', async () => {
    await run(['context', 'use', '--none']);
    expect(await setting('temporalAddress')).toEqual(['localhost:7233', 'default']);
    expect(await setting('context')).toEqual([null, null]);
  });

  test('is overridden by SIGNALBOX_CONTEXT, and that by --context, before the command or after it', async () => {
    const env = { SIGNALBOX_CONTEXT: 'lab' };
    expect(await setting('context', [], env)).toEqual(['lab', 'SIGNALBOX_CONTEXT']);
    expect(await setting('context', ['--context', 'prod'], env)).toEqual(['prod', '--context']);
    const { stdout } = await run(['--context', 'lab', 'config', '-o', 'json']);
    expect(stdout).toContain('lab:7233');
  });

  test('is overridden by variables for each setting, and these by flags', async () => {
    const env = { TEMPORAL_ADDRESS: 'env:7233' };
    expect(await setting('temporalAddress', [], env)).toEqual(['env:7233', 'TEMPORAL_ADDRESS']);
    expect(await setting('namespace', [], env)).toEqual(['ml', 'context prod']);
    expect(await setting('namespace', ['-n', 'team'], env)).toEqual(['team', '--namespace']);
  });

  test('that does not exist is an error that lists those that do, and says what kubectl’s contexts are', async () => {
    const { code, stderr } = await run(['list', '--context', 'stage']);
    expect(stderr).toContain(`--context: there is no context stage; ${file} has prod, lab.`);
    expect(stderr).toContain('--kube-context');
    expect(code).toBe(2);
  });
});

describe('an API key', () => {
  const add = () =>
    run(['context', 'add', 'cloud', '--temporal-address', 'c:7233', '--api-key-stdin'], {}, 's3cret\n');

  test('is in a file that only its owner may read, and is never printed', async () => {
    await add();
    expect(await readFile(file, 'utf8')).toContain('temporal-api-key: s3cret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const args of [['context', 'show'], ['context', 'list', '-o', 'json'], ['config']]) {
      const { stdout } = await run(args);
      expect(stdout).toContain('***');
      expect(stdout).not.toContain('s3cret');
    }
  });

  test('is sent to the server of its own context only', async () => {
    await add();
    expect(await setting('temporalApiKey')).toEqual(['***', 'context cloud']);
    expect(await setting('temporalApiKey', ['--temporal-address', 'other:7233'])).toEqual([null, null]);
  });

  test('that other users can read is an error', async () => {
    await add();
    await chmod(file, 0o644);
    expect((await run(['config'])).stderr).toContain(`others may read it: chmod 600 ${file}`);
  });

  test('is not taken from the command line', async () => {
    expect(await run(['context', 'add', 'x', '--set', 'temporal-api-key=k'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use --api-key-stdin.'),
    });
  });
});

describe('the configuration file', () => {
  test('keeps its comments', async () => {
    await withContexts();
    await writeFile(file, `# of the team\n${await readFile(file, 'utf8')}`);
    await run(['context', 'use', 'lab']);
    expect(await readFile(file, 'utf8')).toBe(
      `# of the team
contexts:
  prod:
    temporal-address: prod:7233
    kube-context: p
    namespace: ml
  lab:
    temporal-address: lab:7233
    cluster-id: lab
current-context: lab
`,
    );
  });

  test.each([
    ['contexts: [', 'Flow sequence'],
    ['contexts: 7', 'contexts: expected contexts by name'],
    ['contexts: { a: 7 }', 'contexts.a: expected settings by name'],
    [
      'current-context: a\ncontexts: { a: { temporal-adress: x } }',
      'contexts.a: expected one of temporal-address,',
    ],
    ['current-context: a\ncontexts: { a: { http-port: many } }', 'context a: http-port: expected a port'],
  ])('is invalid as %j', async (content, words) => {
    await run(['context', 'add', 'a', '-n', 'ml']);
    await writeFile(file, content);
    expect(await run(['config'])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

test('contexts are listed, shown and removed', async () => {
  await withContexts();
  expect((await run(['context', 'list'])).stdout.split('\n').map((line) => line.split(/ +/))).toEqual([
    ['', 'NAME', 'TEMPORAL', 'TEMPORAL', 'NAMESPACE', 'NAMESPACE', 'KUBE', 'CONTEXT'],
    ['*', 'prod', 'prod:7233', 'ml', 'p'],
    ['', 'lab', 'lab:7233'],
    [''],
  ]);
  expect((await run(['context', 'list', '-o', 'name'])).stdout).toBe('prod\nlab\n');
  expect(JSON.parse((await run(['context', 'show', 'lab', '-o', 'json'])).stdout)).toEqual({
    name: 'lab',
    settings: { 'temporal-address': 'lab:7233', 'cluster-id': 'lab' },
  });
  expect((await run(['context', 'remove', 'prod'])).stdout).toBe(
    'context prod removed; no context is current\n',
  );
  expect((await run(['context', 'list', '-o', 'name'])).stdout).toBe('lab\n');
});

test.each([
  [['add', 'x'], 'No setting given.'],
  [
    ['add', 'x', '--temporal-address', 'nowhere'],
    'context x: temporal-address: expected host:port, got "nowhere"',
  ],
  [['add', 'x', '--set', 'colour=red'], 'x: expected one of temporal-address,'],
  [['add', '../x', '-n', 'ml'], 'Expected a name of letters'],
  [['use'], 'Expected a NAME or --none.'],
  [['use', 'x'], 'there is no context x'],
  [['remove', 'x'], 'there is no context x'],
  [['show'], 'No current context.'],
])('context %j is refused with a message', async (args, sentence) => {
  expect(await run(['context', ...args])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(sentence),
  });
});

test('an existing context is replaced only with --replace', async () => {
  await withContexts();
  const again = ['context', 'add', 'lab', '--temporal-address', 'new:7233'];
  expect(await run(again)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--replace replaces it.'),
  });
  expect((await run([...again, '--replace'])).code).toBe(0);
  expect(await setting('temporalAddress', ['--context', 'lab'])).toEqual(['new:7233', 'context lab']);
});
