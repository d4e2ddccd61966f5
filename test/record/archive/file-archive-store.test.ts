import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { allOf } from './all-of.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-archive-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const noLinks = () => Promise.reject(Object.assign(new Error('EPERM: no links here'), { code: 'EPERM' }));

const KEY = 'jobs/namespace=ml/day=2026-11-23/train-5f0c/job.json';
const bytes = (text: string) => Buffer.from(text);
const textOf = async (store: FileArchiveStore, key: string) =>
  Buffer.from((await store.read(key)) ?? 'nothing').toString();

describe.each([
  ['with hard links', () => new FileArchiveStore(join(directory, 'archive'))],
  ['without hard links', () => new FileArchiveStore(join(directory, 'archive'), { hardLink: noLinks })],
])('a directory %s', (_what, opened) => {
  let store: FileArchiveStore;
  beforeEach(() => {
    store = opened();
  });

  test('has a file once it is created, and never changes it', async () => {
    expect(await store.read(KEY)).toBeUndefined();
    expect(await store.create(KEY, bytes('one'))).toBe(true);
    expect(await store.create(KEY, bytes('two'))).toBe(false);
    expect(await textOf(store, KEY)).toBe('one');
  });

  test('lets one of twenty writers win, with its complete file', async () => {
    for (let round = 0; round < 10; round++) {
      const texts = Array.from({ length: 20 }, (_, writer) => `${writer} `.repeat(2_000));
      const won = await Promise.all(texts.map((text) => store.create(`log/${round}`, bytes(text))));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await textOf(store, `log/${round}`)).toBe(texts[won.indexOf(true)]);
    }
    expect(await readdir(join(store.location, '.drafts'))).toEqual([]);
  });

  test('is readable for its owner only', async () => {
    await store.create(KEY, bytes('one'));
    const path = fileURLToPath(store.refOf(KEY));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (let above = dirname(path); above !== directory; above = dirname(above)) {
      expect((await stat(above)).mode & 0o777).toBe(0o700);
    }
  });
});

describe('a directory', () => {
  let store: FileArchiveStore;
  beforeEach(() => {
    store = new FileArchiveStore(join(directory, 'archive'));
  });

  test('replaces and removes files that can be made again', async () => {
    await store.create('log/checkpoint', bytes('one'));
    await store.replace('log/checkpoint', bytes('two'));
    expect(await textOf(store, 'log/checkpoint')).toBe('two');
    await store.remove('log/checkpoint');
    await store.remove('log/checkpoint');
    expect(await store.read('log/checkpoint')).toBeUndefined();
  });

  test('lists keys in the order of their characters, without drafts', async () => {
    const keys = [
      'a/b',
      'a-b',
      'a/b-c/d',
      'a/b/'.concat('c'),
      'names/namespace=ml/x',
      'names/namespace=ml-2/x',
    ];
    const possible = keys.filter((key) => key !== 'a/b');
    for (const key of possible) await store.create(key, bytes(''));
    await writeFile(join(store.location, '.drafts', 'left.part'), '');
    expect(await allOf(store.list(''))).toEqual([...possible].sort());
    expect(await allOf(store.list('names/namespace=ml'))).toEqual([
      'names/namespace=ml-2/x',
      'names/namespace=ml/x',
    ]);
    expect(await allOf(store.list('names/namespace=ml/'))).toEqual(['names/namespace=ml/x']);
    expect(await allOf(store.list('nothing/here'))).toEqual([]);
  });

  test.each(['../x', 'a/../b', '/etc/passwd', 'a//b', '.drafts/x', 'a b', ''])(
    'refuses the key %j',
    async (key) => {
      await expect(store.create(key, bytes(''))).rejects.toThrow('expected the key of a file');
    },
  );

  test('removes drafts that a process left long ago', async () => {
    await store.examine();
    const [old, young] = ['old.part', 'young.part'].map((name) => join(store.location, '.drafts', name));
    for (const path of [old!, young!]) await writeFile(path, '');
    await utimes(old!, 0, 0);
    await store.examine();
    expect(await readdir(join(store.location, '.drafts'))).toEqual(['young.part']);
  });

  test('is unusable below a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(new FileArchiveStore(join(file, 'archive')).examine()).rejects.toThrow('ENOTDIR');
  });

  test('takes over a lock of a killed process', async () => {
    const slow = new FileArchiveStore(join(directory, 'archive'), { hardLink: noLinks });
    await slow.create('a', bytes('a'));
    // The lock's name is the digest of the path, which only the store knows: leave it by a kill in the middle.
    const { createHash } = await import('node:crypto');
    const path = fileURLToPath(slow.refOf('b'));
    const lock = join(slow.location, '.drafts', `${createHash('sha256').update(path).digest('hex')}.lock`);
    await writeFile(lock, '');
    await utimes(lock, 0, 0);
    expect(await slow.create('b', bytes('b'))).toBe(true);
  });
});
