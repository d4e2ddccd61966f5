import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { AuditDatabase } from '../../../record/audit/audit-database.ts';
import { ChangedIndexError, indexFilesOf } from '../../../record/audit/index-files.ts';
import { updateIndexFrom } from '../../../record/index/update-index.ts';
import { allOf } from '../archive/all-of.ts';
import { madeUpSource } from '../index/made-up-jobs.ts';
import { MemoryStore } from '../log/memory-store.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'signalbox-cache-'));
});
afterEach(() => rm(cache, { recursive: true }));

describe('the index of a bucket', () => {
  test('is fetched once', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(9));
    let reads = 0;
    const counting = new MemoryStore(store.files, (call) => {
      if (call === 'read') reads++;
    });
    const { files, size } = await indexFilesOf(counting, cache);
    expect(size).toBe(9);
    expect(files).toEqual((await indexFilesOf(counting, cache)).files);
    expect(reads).toBe(4);
    expect(await readdir(cache)).toHaveLength(4);
  });

  test('is fetched again if the cache was changed', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(2));
    const { files } = await indexFilesOf(store, cache);
    await writeFile(files.jobs[0]!, 'something else');
    await indexFilesOf(store, cache);
    expect([...store.files.values()]).toContainEqual(await readFile(files.jobs[0]!));
  });

  test('removes unused files from the cache after a week', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(2));
    const { files } = await indexFilesOf(store, cache);
    const old = new Date(Date.now() - 8 * 86_400_000);
    await utimes(files.jobs[0]!, old, old);
    await updateIndexFrom(store, madeUpSource(3));
    await indexFilesOf(store, cache);
    expect(await readdir(cache)).toHaveLength(3);
  });

  test('is refused if a part does not match its name', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(2));
    const [key] = [...store.files.keys()];
    store.files.set(key!, Buffer.from('forged'));
    await expect(indexFilesOf(store, cache)).rejects.toThrow(`memory:${key}: the content`);
  });

  test('is no longer written to once it was refused', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(9));
    const [forged] = [...store.files.keys()];
    store.files.set(forged!, Buffer.from('forged'));
    let fetched = 0;
    const slow = new MemoryStore(store.files, async (call, key) => {
      if (call !== 'read' || key === forged) return;
      await delay(20);
      fetched++;
    });
    await expect(indexFilesOf(slow, cache)).rejects.toThrow(ChangedIndexError);
    expect(fetched).toBe(3);
    expect(await readdir(cache)).toHaveLength(3);
  });

  test('is read again if parts were merged meanwhile', async () => {
    const store = new MemoryStore();
    await updateIndexFrom(store, madeUpSource(7));
    let isMerged = false;
    const merging = new MemoryStore(store.files, async (call) => {
      if (call !== 'read' || isMerged) return;
      isMerged = true;
      await updateIndexFrom(store, madeUpSource(8));
    });
    expect(await indexFilesOf(merging, cache)).toMatchObject({ size: 8 });
  });
});

test('an index whose directory has wildcards of DuckDB is fetched, too', async () => {
  const store = new FileArchiveStore(join(cache, 'prod [1]*'));
  await updateIndexFrom(store, madeUpSource(2));
  const { files, directories } = await indexFilesOf(store, join(cache, 'cached'));
  expect(directories).toEqual([join(cache, 'cached')]);
  const database = await AuditDatabase.open(files, directories);
  expect(await allOf((await database.askOwn('SELECT count(*) FROM jobs')).rows)).toEqual([[2]]);
  database.close();
});

test('an index in a directory is read in place', async () => {
  const store = new FileArchiveStore(cache);
  await updateIndexFrom(store, madeUpSource(2));
  const { files, directories } = await indexFilesOf(store, 'never made');
  expect(files.jobs[0]).toContain(join(cache, 'index', 'v5', 'jobs'));
  expect(directories).toEqual([join(cache, 'index/v5/jobs'), join(cache, 'index/v5/entries')]);
});
