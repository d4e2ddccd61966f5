import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { signerOf } from '../../record/log/signer.ts';
import { someContents } from '../record/archive/some-job.ts';
import { commandLine } from './in-process.ts';

const NAME = 'signalbox.example/archive/program';
let home: string;
let key: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
  const { stdout } = await run(['key', '--new', join(home, 'archive.key')]);
  key = stdout.trim();
});

afterAll(() => rm(home, { recursive: true, force: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  commandLine(['audit', ...args], {
    env: { SIGNALBOX_ARCHIVE_NAME: NAME, XDG_STATE_HOME: join(home, 'state'), ...env },
  });

/** Writes archives of these names, each with a checkpoint of its own. */
async function archive(directory: string, names: readonly string[]): Promise<string> {
  const pem = await readFile(join(home, 'archive.key'), 'utf8');
  const store = new FileArchiveStore(join(home, directory));
  for (const name of names) {
    const leaf = await writeArchive(store, await someContents({ name }));
    await appendToLog(store, signerOf(pem, { origin: NAME, location: 'a test' }), [leaf]);
  }
  return store.location;
}

const verify = (place: string, ...args: readonly string[]) =>
  run(['verify', '--archive-dir', place, '--public-key', key, ...args], { XDG_STATE_HOME: `${place}.state` });

describe('signalbox audit key', () => {
  it('makes a key that only its owner can read, and prints what verifies it', async () => {
    expect(key).toMatch(/^signalbox\.example\/archive\/program\+[0-9a-f]{8}\+A[A-Za-z0-9+/]{43}$/);
    expect((await stat(join(home, 'archive.key'))).mode & 0o777).toBe(0o600);
    expect((await run(['key', join(home, 'archive.key')])).stdout.trim()).toBe(key);
    expect((await run(['key'], { SIGNALBOX_ARCHIVE_KEY: join(home, 'archive.key') })).stdout.trim()).toBe(
      key,
    );
  });

  it('never writes over a file', async () => {
    const { code, stderr } = await run(['key', '--new', join(home, 'archive.key')]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('a key is never overwritten'),
    });
    expect((await run(['key', join(home, 'archive.key')])).stdout.trim()).toBe(key);
  });
});

const PRIVATE = 'expected a public key, got a private key, which is not shown here';

describe('a private key', () => {
  const secretOf = (pem: string) => pem.split('\n')[1]!;

  it.each(['--public-key FILE', '--public-key KEY'])(
    'is refused where a public one is expected: %s',
    async (how) => {
      const place = await archive('private', ['a']);
      const pem = await readFile(join(home, 'archive.key'), 'utf8');
      const given = how.endsWith('FILE') ? join(home, 'archive.key') : pem;
      for (const output of [[], ['-o', 'json']]) {
        const { code, stdout, stderr } = await run([
          ...['verify', '--archive-dir', place, '--public-key', given, ...output],
        ]);
        expect(stderr).toContain(PRIVATE);
        expect(stderr).toContain('signalbox audit key FILE');
        expect(stdout + stderr).not.toContain(secretOf(pem));
        expect(code).not.toBe(0);
      }
    },
  );

  it('is not shown where it is given for a path, or as a setting that others read', async () => {
    const pem = await readFile(join(home, 'archive.key'), 'utf8');
    const asPath = await run(['key', '--', pem]);
    const asOption = await run(['key', pem]);
    expect(asOption.stderr).toContain("unknown option '(hidden)");
    expect(asPath.stderr).toContain('expected the path of a file, got a private key itself');
    const asSetting = await run(['verify', '--archive-dir', home], { SIGNALBOX_ARCHIVE_PUBLIC_KEY: pem });
    expect(asSetting.stderr).toMatch(
      /SIGNALBOX_ARCHIVE_PUBLIC_KEY: expected a verifier key .*, got "a private key"/,
    );
    for (const { code, stdout, stderr } of [asPath, asOption, asSetting]) {
      expect(stdout + stderr).not.toContain(secretOf(pem));
      expect(code).toBe(2);
    }
  });

  it('is named where a public one is given for it', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const file = join(home, 'other.pub');
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
    expect((await run(['key', file])).stderr).toContain(
      'expected an Ed25519 private key in PEM, found a public key',
    );
  });
});

describe('signalbox audit verify', () => {
  it('reports no change, with nothing but the public key', async () => {
    const place = await archive('good', ['a', 'b', 'c']);
    const { code, stdout, stderr } = await verify(place);
    expect(stdout).toContain('3 archives, 18 files');
    expect(stdout).toContain('no findings');
    expect(stderr).toContain(`with the key ${key} (--public-key)`);
    expect(code).toBe(0);
  });

  it('lists every changed file, and exits with 13', async () => {
    const place = await archive('changed', ['a', 'b']);
    const folders = ['a', 'b'].map((name) => `jobs/namespace=ml/day=2026-11-23/${name}-5f0c`);
    const files = [`${folders[0]}/history-1.json.gz`, `${folders[1]}/evidence.jsonl.gz`];
    for (const file of files) {
      const bytes = await readFile(join(place, file));
      bytes[bytes.length - 3]! ^= 1;
      await writeFile(join(place, file), bytes);
    }
    const { code, stdout } = await verify(place, '-o', 'json');
    expect(JSON.parse(stdout).findings.map((finding: { kind: string; key: string }) => finding.key)).toEqual(
      files,
    );
    expect(code).toBe(13);
    expect((await verify(place)).stdout).toMatch(
      new RegExp(`changed +${files[0]}: expected SHA-256 .*; found `),
    );
  });

  it('says what a copy shows whose files are of different moments, unless something is changed', async () => {
    const place = await archive('copied', ['a', 'b']);
    const earlier = join(home, 'of-earlier');
    await cp(place, earlier, { recursive: true });
    await archive('copied', ['c']);
    const copy = join(home, 'copy');
    await cp(place, copy, { recursive: true });
    // As a copy in the order of the alphabet: `log/checkpoints` before the tiles and places of what is archived meanwhile.
    await rm(join(copy, 'log/checkpoints'), { recursive: true });
    await cp(join(earlier, 'log/checkpoints'), join(copy, 'log/checkpoints'), { recursive: true });
    const { code, stdout } = await verify(copy);
    expect(code).toBe(13);
    expect(stdout).toMatch(/^changed +log\/checkpoint: /m);
    expect(stdout).toMatch(/^unlogged +log\/tile\//m);
    expect(stdout).toContain('its files are of different moments');
    expect(stdout).toContain('docs/operating.md#back-up-and-restore');
    await writeFile(join(copy, 'jobs/namespace=ml/day=2026-11-23/a-5f0c/job.json'), '{}');
    expect((await verify(copy)).stdout).not.toContain('different moments');
  });

  it('a copy of the log first, and then of all else, lacks nothing that its log covers', async () => {
    const place = await archive('in-order', ['a', 'b']);
    const copy = join(home, 'ordered-copy');
    await cp(join(place, 'log'), join(copy, 'log'), { recursive: true });
    await archive('in-order', ['c']);
    const isOfLog = (path: string) => path.startsWith(join(place, 'log'));
    await cp(place, copy, { recursive: true, filter: (path) => !isOfLog(path) });
    const { stdout } = await verify(copy, '-o', 'json');
    const { archives, findings } = JSON.parse(stdout) as {
      archives: number;
      findings: { kind: string; key: string }[];
    };
    expect(archives).toBe(2);
    expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(['unlogged']));
    expect(findings.every(({ key }) => key.includes('c-5f0c') || key.startsWith('ids/'))).toBe(true);
  });

  it('refuses a log that does not continue the one that it verified before', async () => {
    const place = await archive('continued', ['a', 'b']);
    const earlier = join(home, 'earlier');
    await cp(place, earlier, { recursive: true });
    await archive('continued', ['c']);
    const env = { XDG_STATE_HOME: join(home, 'other-state') };
    const args = ['verify', '--public-key', key, '--archive-dir'];
    expect((await run([...args, earlier], env)).code).toBe(0);
    expect((await run([...args, place], env)).code).toBe(0);
    const { code, stdout } = await run([...args, earlier], env);
    expect(stdout).toMatch(/contradiction +log: expected the log of .*other-state.*it was rolled back/);
    expect(code).toBe(13);
    expect((await run([...args, place], env)).code).toBe(0);
  });

  it('verifies one job, and proves it without the archive', async () => {
    const place = await archive('proven', ['a', 'b']);
    const history = join(place, 'jobs/namespace=ml/day=2026-11-23/a-5f0c/history-1.json.gz');
    await rm(history);
    expect(await verify(place, '--job', 'ml/b')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no findings'),
    });
    expect(await verify(place, '--job', 'job/ml/a')).toMatchObject({
      code: 13,
      stdout: expect.stringContaining('missing'),
    });
    expect((await verify(place, '--job', 'ml/c')).code).toBe(3);

    const proof = await run(['prove', 'ml/a', '--archive-dir', place]);
    const file = join(home, 'a.tlog-proof');
    await writeFile(file, proof.stdout);
    const args = ['verify', '--public-key', key, '--proof', file];
    expect(await run(args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('job/ml/a (first run 5f0c) is leaf 0'),
    });
    await writeFile(file, proof.stdout.replace('index 0', 'index 1'));
    expect(await run(args)).toMatchObject({ code: 13, stdout: expect.stringContaining('proves nothing') });
  });

  it('compares with a saved checkpoint', async () => {
    const place = await archive('kept', ['a']);
    const kept = join(home, 'kept-checkpoint');
    await cp(join(place, 'log/checkpoint'), kept);
    const replaced = await archive('replaced', ['x', 'y']);
    const env = { XDG_STATE_HOME: join(home, 'no-state') };
    const verifyWith = (directory: string) =>
      run(['verify', '--public-key', key, '--checkpoint', kept, '--archive-dir', directory], env);
    expect((await verifyWith(place)).code).toBe(0);
    const { code, stdout } = await verifyWith(replaced);
    expect(stdout).toContain('another log, with the root');
    expect(code).toBe(13);
  });

  it.each([
    ['no key', [], 'no key to verify the archive with'],
    ['a key that is none', ['--public-key', 'x+00000000+AAAA'], 'expected an Ed25519 key of 33 bytes'],
    [
      'no such file',
      ['--public-key', '/nowhere/key'],
      '--public-key: expected a verifier key or a file with one',
    ],
    [
      'a checkpoint that is none',
      ['--checkpoint', '/dev/null', '--public-key', 'KEY'],
      '/dev/null: expected a text',
    ],
  ])('exits with 2 if given %s', async (_, args, message) => {
    const { code, stderr } = await run(
      ['verify', '--archive-dir', home, ...args.map((arg) => (arg === 'KEY' ? key : arg))],
      { XDG_STATE_HOME: join(home, 'nothing') },
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('exits with 2 if the directory does not exist', async () => {
    const { code, stderr } = await verify('/nowhere/archive');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('expected the directory of an archive'),
    });
  });
});
