import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FileStore } from '../../evidence/file-store.ts';
import { partsOfKey, recordKeyOf } from '../../evidence/record-key.ts';

const JOB = { namespace: 'ml', name: 'train', anchorUid: 'anchor-1' };
const POD = { attempt: 2, pod: 'train-worker-0', uid: '048561b2-93e6-4126-b589-940023a7ae4f' };
const KEY = recordKeyOf(JOB, POD);

let directory: string;
let store: FileStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-evidence-'));
  store = new FileStore(join(directory, 'evidence'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a key', () => {
  test('names the job, run, attempt and pod', () => {
    expect(KEY).toBe('ml/train/anchor-1/2/train-worker-0-048561b2-93e6-4126-b589-940023a7ae4f.json');
    expect(partsOfKey(KEY)).toEqual({ pod: 'train-worker-0', attempt: 2 });
  });

  test.each([
    ['namespace', { ...JOB, namespace: '..' }, POD],
    ['name', { ...JOB, name: '../../etc' }, POD],
    ['anchor', { ...JOB, anchorUid: '' }, POD],
    ['pod', JOB, { ...POD, pod: '/etc/passwd' }],
    ['uid', JOB, { ...POD, uid: 'a/../../../../../b' }],
    ['name with a zero', { ...JOB, name: 'a\0b' }, POD],
  ])('with a wrong %s is refused', (_what, job, pod) => {
    expect(() => recordKeyOf(job, pod)).toThrow("expected a record's key");
  });
});

describe('the examination of a directory', () => {
  test('creates it with private permissions', async () => {
    await store.examine();
    expect((await stat(store.location)).mode & 0o777).toBe(0o700);
  });

  test('fails below a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(new FileStore(join(file, 'evidence')).examine()).rejects.toThrow('ENOTDIR');
  });
});

describe('a record in a file', () => {
  test('is read back by the ref that its writing gave', async () => {
    const ref = await store.write(KEY, '{"a":"ä"}');
    expect(fileURLToPath(ref)).toBe(join(directory, 'evidence', KEY));
    expect(await store.find(store.keyOf(ref)!)).toBe('{"a":"ä"}');
  });

  test('is readable for its owner only', async () => {
    const path = fileURLToPath(await store.write(KEY, '{}'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (let above = dirname(path); above !== directory; above = dirname(above)) {
      expect((await stat(above)).mode & 0o777).toBe(0o700);
    }
  });

  test('is replaced atomically, and leaves no other file', async () => {
    await Promise.all(['one', 'two', 'three'].map((record) => store.write(KEY, record)));
    expect(['one', 'two', 'three']).toContain(await store.find(KEY));
    expect(await readdir(join(directory, 'evidence', dirname(KEY)))).toHaveLength(1);
  });

  test('is undefined before it is written', async () => {
    expect(await store.find(KEY)).toBeUndefined();
    expect(await store.list('ml/train/anchor-1')).toEqual([]);
  });

  test('is listed with the others of its job', async () => {
    const other = recordKeyOf(JOB, { ...POD, attempt: 1 });
    for (const key of [KEY, other, recordKeyOf({ ...JOB, name: 'another' }, POD)])
      await store.write(key, '{}');
    expect((await store.list('ml/train/anchor-1')).sort()).toEqual([other, KEY]);
  });

  test('is found in another directory than the one in its ref', () => {
    expect(store.keyOf(`file:///var/lib/elsewhere/${KEY}`)).toBe(KEY);
    expect(store.keyOf(`s3://bucket/${KEY}`)).toBeUndefined();
  });

  test.each(['file:///etc/passwd', 'file:///a/b/c/d/.bashrc'])('is not read from another file: %s', (ref) => {
    expect(() => store.keyOf(ref)).toThrow('expected a record');
  });
});

test('a record in a directory that cannot be created is an error', async () => {
  await writeFile(join(directory, 'evidence'), 'a file');
  await expect(store.write(KEY, '{}')).rejects.toThrow(/ENOTDIR|EEXIST/);
});
