import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nameKey } from '../../../record/archive/archive-keys.ts';
import { archiveIn } from '../../../record/archive/archive-reader.ts';
import { type ArchiveContents, writeArchive } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { allOf } from './all-of.ts';
import { SOME_ENTRIES, someContents, someRecord } from './some-job.ts';

let directory: string;
let store: FileArchiveStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-archive-'));
  store = new FileArchiveStore(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const TRAIN = { namespace: 'ml', name: 'train' };
const FOLDER = 'jobs/namespace=ml/day=2026-11-23/train-5f0c';
const keys = () => allOf(store.list(''));
const found = async (wanted: Parameters<ReturnType<typeof archiveIn>['find']>[0] = TRAIN) => {
  const archive = await archiveIn(store).find(wanted);
  if (!archive) throw new Error('expected an archive');
  return archive;
};

describe('an archive', () => {
  test('has everything of a job, and is read back', async () => {
    const contents = await someContents();
    const leaf = await writeArchive(store, contents);
    const archive = await found();
    expect(archive.job).toMatchObject(contents.job);
    expect(archive.leaf).toEqual(leaf);
    expect(leaf).toMatchObject({ folder: FOLDER, workflowId: 'job/ml/train', ledger: { entries: 2 } });
    expect((await archive.ledger()).map(({ prev: _, ...entry }) => entry)).toEqual(SOME_ENTRIES);
    expect(await archive.evidence()).toEqual([someRecord()]);
    expect(await archive.pods()).toEqual([]);
    const [run] = await allOf(archive.histories());
    expect(run).toMatchObject({ runId: '5f0c', history: { events: [{ eventType: 1 }] } });
  });

  test('written by two at once is the archive of one of them', async () => {
    const at = ['2026-11-23T10:06:00.000Z', '2026-11-23T10:06:00.001Z'];
    const contents = await Promise.all(at.map((archivedAt) => someContents({ archivedAt })));
    const others = contents.map((one, index) => ({ ...one, evidence: [someRecord(`${index}`)] }));
    const leaves = await Promise.all(others.map((one) => writeArchive(store, one)));
    expect(leaves[0]).toEqual(leaves[1]);
    const archive = await found();
    const winner = others.find(({ job }) => job.archivedAt === archive.job.archivedAt);
    expect(await archive.evidence()).toEqual(winner!.evidence);
  });

  test('with a truncated file does not count, and is written again', async () => {
    const contents = await someContents();
    const left = cutAfter(2);
    await expect(writeArchive(left, { ...contents, evidence: [someRecord('other')] })).rejects.toThrow(
      'ENOSPC',
    );
    await store.create(nameKey(contents.job), Buffer.from(''));
    expect(await archiveIn(store).find(TRAIN)).toBeUndefined();
    expect(await allOf(archiveIn(store).list())).toEqual([]);
    await writeArchive(store, { ...contents, entries: SOME_ENTRIES.slice(0, 1) });
    const archive = await found();
    expect(await archive.ledger()).toHaveLength(1);
    expect(await archive.evidence()).toHaveLength(1);
    expect((await keys()).filter((key) => key.startsWith(FOLDER))).toHaveLength(
      Object.keys(archive.job.files).length + 1,
    );
  });

  test('has the same bytes, whoever writes it', async () => {
    const contents = await someContents();
    const other = new FileArchiveStore(join(directory, 'other'));
    expect(await writeArchive(store, contents)).toEqual(await writeArchive(other, contents));
  });
});

/** A store that is full after so many files. */
function cutAfter(files: number): FileArchiveStore {
  const full = new FileArchiveStore(directory);
  const create = full.create.bind(full);
  let left = files;
  full.create = async (key, bytes) => {
    if (left-- <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    return create(key, bytes);
  };
  return full;
}

describe('a job is found', () => {
  const written = async (change: Partial<ArchiveContents['job']>) =>
    writeArchive(store, await someContents(change));

  test('by its name: the one that closed last, or the one with a run', async () => {
    await written({ firstRunId: 'one', runId: 'one' });
    await written({ firstRunId: 'two', runId: 'two', closed: '2026-11-24T00:00:00.000Z' });
    await written({ name: 'train-2' });
    expect((await found()).job.firstRunId).toBe('two');
    expect((await found({ ...TRAIN, runId: 'one' })).job.firstRunId).toBe('one');
    expect(await archiveIn(store).find({ ...TRAIN, runId: 'three' })).toBeUndefined();
  });

  test.each(['job/ml/train', 'nightly 7', 'job/ml/train/again', '../../etc'])(
    'by its workflow id %s',
    async (workflowId) => {
      await written({ workflowId });
      await written({ name: 'other' });
      expect((await found({ workflowId })).job).toMatchObject({ workflowId, name: 'train' });
    },
  );

  test('with any name, in a folder of its own', async () => {
    const names = ['Train', 'train!', 'train_21_', '..', '', 'ü'.repeat(300), 'ü'.repeat(301), 'a/b', ' '];
    for (const name of names) await written({ name, workflowId: `by-hand/${name}` });
    for (const name of names) {
      expect((await found({ namespace: 'ml', name })).job.name).toBe(name);
      expect((await found({ workflowId: `by-hand/${name}` })).job.name).toBe(name);
    }
  });

  test('in a list, newest first, by namespace, time and more', async () => {
    await written({ name: 'a', closed: '2026-11-21T10:00:00.000Z' });
    await written({ name: 'b', closed: '2026-11-22T23:59:59.000Z' });
    await written({ name: 'c', closed: '2026-11-22T10:00:00.000Z', namespace: 'nlp' });
    const names = async (filter?: Parameters<ReturnType<typeof archiveIn>['list']>[0]) =>
      (await allOf(archiveIn(store).list(filter))).map(({ job }) => job.name);
    expect(await names()).toEqual(['b', 'c', 'a']);
    expect(await names({ limit: 1 })).toEqual(['b']);
    expect(await names({ namespace: 'ml' })).toEqual(['b', 'a']);
    expect(await names({ name: 'c' })).toEqual(['c']);
    expect(await names({ closedSince: new Date('2026-11-22T12:00:00Z') })).toEqual(['b']);
    expect(await names({ closedBefore: new Date('2026-11-22T12:00:00Z') })).toEqual(['c', 'a']);
    expect(await names({ matches: ({ namespace }) => namespace === 'nlp' })).toEqual(['c']);
  });
});

describe('a damaged archive', () => {
  const path = (name: string) => fileURLToPath(store.refOf(`${FOLDER}/${name}`));
  beforeEach(async () => {
    await writeArchive(store, await someContents());
  });

  test('is reported with its truncated file', async () => {
    await truncate(path('ledger.jsonl.gz'), 20);
    await expect((await found()).ledger()).rejects.toThrow(
      /train-5f0c\/ledger.jsonl.gz: expected \d+ bytes, got 20/,
    );
  });

  test('is reported with its changed file', async () => {
    const bytes = Buffer.from((await store.read(`${FOLDER}/evidence.jsonl.gz`))!);
    bytes[12]! ^= 1;
    await writeFile(path('evidence.jsonl.gz'), bytes);
    await expect((await found()).evidence()).rejects.toThrow(/evidence.jsonl.gz: expected the SHA-256/);
  });

  test('is reported with its missing file', async () => {
    await rm(path('history-1.json.gz'));
    await expect(allOf((await found()).histories())).rejects.toThrow(/history-1.json.gz: expected a file/);
  });

  test('is reported if job.json is truncated', async () => {
    await truncate(path('job.json'), 100);
    await expect(found()).rejects.toThrow(/job.json: expected JSON/);
  });

  test('is reported if it has no files', async () => {
    await writeFile(path('job.json'), '{"schema":"signalbox.dev/archive/v1"}');
    await expect(found()).rejects.toThrow(/job.json: expected files, runs and a ledger/);
  });

  test('does not hide the others in a list, if it is of a later version', async () => {
    const { job } = await found();
    await writeFile(path('job.json'), JSON.stringify({ ...job, schema: 'signalbox.dev/archive/v2' }));
    await expect(found()).rejects.toThrow(/job.json: expected schema signalbox.dev\/archive\/v1, got .*v2/);
    await writeArchive(store, await someContents({ name: 'other' }));
    const unreadable: string[] = [];
    const list = archiveIn(store).list({ unreadable: (error) => unreadable.push(error.message) });
    expect((await allOf(list)).map((one) => one.job.name)).toEqual(['other']);
    expect(unreadable).toEqual([expect.stringContaining('train-5f0c/job.json')]);
  });
});
