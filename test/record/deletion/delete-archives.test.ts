import { describe, expect, it } from '@jest/globals';
import { archiveIn } from '../../../record/archive/archive-reader.ts';
import { LEAF_SCHEMA, type LogLeaf } from '../../../record/archive/log-leaf.ts';
import { deleteArchives } from '../../../record/deletion/delete-archives.ts';
import { foldersBefore } from '../../../record/deletion/folders-before.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { listParts } from '../../../record/index/list-parts.ts';
import { choosePartSet } from '../../../record/index/part-set.ts';
import { INDEX_FOLDER } from '../../../record/index/parts.ts';
import { readPart } from '../../../record/index/read-part.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { deletionPlaceKey } from '../../../record/log/log-keys.ts';
import { readArchiveLog } from '../../../record/log/read-archive-log.ts';
import type { StoreFinding } from '../../../record/verify/verification.ts';
import { verifyJob } from '../../../record/verify/verify-job.ts';
import { type VerifiedStore, verifyStore } from '../../../record/verify/verify-store.ts';
import { allOf } from '../archive/all-of.ts';
import { MemoryStore } from '../log/memory-store.ts';
import { anArchive, aStore, copyOf } from '../verify/a-store.ts';

const written = await aStore([3, 9, 1]);
const { signer, leaves } = written;
const keys = signer.keys.map(({ verifier }) => verifier);
const WHY = { by: 'ana@laptop', why: 'asked by its owner', at: '2026-11-23T10:00:00.000Z' };

const deleting = (store: MemoryStore, ...folders: readonly string[]) =>
  deleteArchives(store, signer, { folders, ...WHY });

async function verified(
  store: MemoryStore,
): Promise<VerifiedStore & { readonly findings: readonly StoreFinding[] }> {
  const findings: StoreFinding[] = [];
  return { ...(await verifyStore({ store, keys, find: (finding) => findings.push(finding) })), findings };
}

/** Returns the leaves that have rows in both tables of the index. */
async function indexedLeaves(store: MemoryStore): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const pair of choosePartSet(await listParts(store)).pairs)
    for (const { key } of [pair.jobs, pair.entries])
      for await (const rows of readPart((await store.read(key))!))
        for (const { leaf } of rows) found.add(Number(leaf));
  return found;
}

const keysOf = ({ folder, firstRunId, workflowId }: LogLeaf, store: MemoryStore) =>
  [...store.files.keys()].filter(
    (key) =>
      key.startsWith(folder) ||
      (/^(names|ids)\//.test(key) && key.endsWith(`_${firstRunId}`)) ||
      key.includes(encodeURIComponent(workflowId)),
  );

describe('an archive that was deleted by a command', () => {
  it.each([2, 5, 12])('is gone with its rows, and its leaf says who and why: leaf %i', async (leaf) => {
    const store = copyOf(written);
    const { folder, workflowId } = leaves[leaf]!;
    await deleting(store, folder);
    expect(keysOf(leaves[leaf]!, store)).toEqual([]);
    expect([...(await indexedLeaves(store))].sort((one, other) => one - other)).toEqual(
      leaves.map((_, index) => index).filter((index) => index !== leaf),
    );
    expect(await verified(store)).toMatchObject({
      findings: [],
      archives: 12,
      newest: { size: 14 },
      deleted: [{ folder, workflowId, leaf, deletion: 13, ...WHY }],
    });
    expect(await allOf(archiveIn(store).list())).toHaveLength(12);
  });

  it('has one leaf for the deletion, however often it is deleted', async () => {
    const store = copyOf(written);
    await deleting(store, leaves[1]!.folder);
    await deleteArchives(store, signer, { folders: [leaves[1]!.folder], ...WHY, by: 'bob' });
    expect(await verified(store)).toMatchObject({ findings: [], newest: { size: 14 }, deleted: [WHY] });
  });

  it('is gone when two people delete it at once, and each is recorded', async () => {
    const store = copyOf(written);
    const slow = new MemoryStore(store.files, () => new Promise((resolve) => setImmediate(resolve)));
    const folders = [leaves[1]!.folder];
    const others = deleteArchives(slow, signer, { folders, ...WHY, by: 'bob' });
    await Promise.all([deleting(slow, ...folders), others]);
    expect(await verified(store)).toMatchObject({ findings: [], newest: { size: 14 } });
  });

  it('is not deleted by a forged place in the store', async () => {
    const store = copyOf(written);
    const { folder } = leaves[1]!;
    store.files.set(deletionPlaceKey(folder), Buffer.from(`0 ${'0'.repeat(64)}\n`));
    await expect(deleting(store, folder)).rejects.toThrow(
      `${deletionPlaceKey(folder)}: expected the place of a deletion in the log`,
    );
    expect(store.files.has(`${folder}/job.json`)).toBe(true);
    store.files.delete(deletionPlaceKey(folder));
    await deleting(store, folder);
    expect(await verified(store)).toMatchObject({ findings: [], deleted: [WHY] });
  });

  it('is gone when two processes delete it at once', async () => {
    const store = copyOf(written);
    const slow = new MemoryStore(store.files, () => new Promise((resolve) => setImmediate(resolve)));
    const folders = leaves.slice(0, 4).map(({ folder }) => folder);
    await Promise.all([deleting(slow, ...folders), deleting(slow, ...folders.toReversed())]);
    expect(await verified(store)).toMatchObject({ findings: [], newest: { size: 17 } });
  });

  it('can be verified alone', async () => {
    const store = copyOf(written);
    const { folder } = leaves[4]!;
    await deleting(store, folder);
    const findings: StoreFinding[] = [];
    const find = (finding: StoreFinding) => findings.push(finding);
    await verifyJob(store, folder, { keys, find });
    expect(findings).toEqual([]);
    store.files.set(`${folder}/job.json`, Buffer.from('{}'));
    await verifyJob(store, folder, { keys, find });
    expect(findings).toEqual([expect.objectContaining({ kind: 'unlogged', key: folder })]);
  });

  it.each(Array.from({ length: 66 }, (_, calls) => calls))(
    'is deleted by a second try after one that ended at its call %i',
    async (calls) => {
      const store = copyOf(written);
      const { folder } = leaves[0]!;
      let left = calls;
      const crashing = new MemoryStore(store.files, () => {
        left -= 1;
        if (left < 0) throw new Error('crashed');
      });
      await deleting(crashing, folder).catch(() => undefined);
      // In between, it is never missing.
      const between = (await verified(store)).findings.filter(({ key }) => !key.startsWith('index/'));
      expect(
        between.filter(({ kind, key }) => kind !== 'unlogged' && !key.startsWith('log/deletions/')),
      ).toEqual([]);
      await deleting(store, folder);
      expect(await verified(store)).toMatchObject({ findings: [], archives: 12, newest: { size: 14 } });
      expect((await indexedLeaves(store)).has(0)).toBe(false);
    },
  );

  it('has no rows in an index that another process was merging', async () => {
    const store = copyOf(written);
    const more: LogLeaf[] = [];
    for (let number = 20; number < 75; number += 1) more.push(await anArchive(store, number));
    await appendToLog(store, signer, more);
    let isDeleted = false;
    const merging = new MemoryStore(store.files, async (call, key) => {
      // It has read the parts that it merges, and is about to write.
      if (isDeleted || call !== 'create' || !key.startsWith(`${INDEX_FOLDER}/entries/000000000-000000064`))
        return;
      isDeleted = true;
      await deleting(store, leaves[0]!.folder);
    });
    await updateIndex(merging);
    expect(isDeleted).toBe(true);
    expect((await indexedLeaves(store)).has(0)).toBe(false);
    expect((await verified(store)).findings).toEqual([]);
  });

  it('is no finding while it is being deleted', async () => {
    const store = copyOf(written);
    const slow = new MemoryStore(store.files, () => new Promise((resolve) => setImmediate(resolve)));
    const findings: StoreFinding[] = [];
    let isOver = false;
    const all = (async () => {
      for (const { folder } of leaves.slice(0, 6)) await deleting(slow, folder);
      isOver = true;
    })();
    while (!isOver) findings.push(...(await verified(slow)).findings);
    await all;
    // What is not removed yet is reported as such.
    expect(findings.filter(({ kind, key }) => kind !== 'unlogged' && !key.startsWith('index/'))).toEqual([]);
  });
});

describe('an apparent deletion', () => {
  it('is a missing archive, if the log has no leaf about it', async () => {
    const store = copyOf(written);
    for (const key of keysOf(leaves[3]!, store)) store.files.delete(key);
    store.files.set(
      `log/deletions/${leaves[3]!.folder.slice('jobs/'.length)}`,
      Buffer.from(`13 ${'0'.repeat(64)}\n`),
    );
    const { findings, deleted } = await verified(store);
    expect(deleted).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'missing', key: leaves[3]!.folder }));
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'unlogged', key: expect.stringMatching(/^log\/deletions\//) }),
    );
  });

  it('is reported, if the files are still there', async () => {
    const store = copyOf(written);
    const { folder } = leaves[3]!;
    const before = new Map(store.files);
    await deleting(store, folder);
    for (const [key, bytes] of before) if (key.startsWith(folder)) store.files.set(key, bytes);
    expect((await verified(store)).findings).toEqual([
      expect.objectContaining({
        kind: 'unlogged',
        key: folder,
        expected: expect.stringContaining('ana@laptop deleted this archive'),
      }),
    ]);
  });

  it('is reported, if the leaf is about another archive', async () => {
    const store = copyOf(written);
    const { folder, workflowId, firstRunId } = leaves[3]!;
    const schema = 'signalbox.dev/archive-deletion/v1' as const;
    const deleted = { leaf: 2, hash: '0'.repeat(64) };
    await appendToLog(store, signer, [{ schema, folder, workflowId, firstRunId, deleted, ...WHY }]);
    expect((await verified(store)).findings).toContainEqual(
      expect.objectContaining({ kind: 'contradiction', folder }),
    );
  });

  it('is refused for an archive that the log does not have, before any change', async () => {
    const store = copyOf(written);
    const { folder } = await anArchive(store, 50);
    const files = store.files.size;
    await expect(deleting(store, leaves[0]!.folder, folder)).rejects.toThrow(
      `${folder} in memory: expected an archive in the log, found none.`,
    );
    expect(store.files.size).toBe(files);
    expect((await readArchiveLog(store)).size).toBe(13);
  });
});

it('a log without deletions is still valid', async () => {
  for await (const { leaf } of (await readArchiveLog(written.store)).leaves())
    expect(leaf.schema).toBe(LEAF_SCHEMA);
});

it('archives of jobs that ended before a day are found by name', async () => {
  const before = await foldersBefore(written.store, new Date('2026-11-11T23:00:00Z'), 'ml');
  expect(before.length).toBeGreaterThan(0);
  expect(new Set(before.map((folder) => /day=([^/]+)/.exec(folder)![1]))).toEqual(new Set(['2026-11-10']));
  expect(await foldersBefore(written.store, new Date('2026-11-11T23:00:00Z'), 'other')).toEqual([]);
  expect(await foldersBefore(written.store, new Date('2026-12-01'), undefined)).toHaveLength(13);
});
