import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendToLog } from '../../../record/log/append.ts';
import { encodeLeaf } from '../../../record/log/leaf-bytes.ts';
import { CHECKPOINTS, checkpointNumber, placeKeyOf } from '../../../record/log/log-keys.ts';
import { newestCheckpoint, readCheckpoint } from '../../../record/log/newest.ts';
import { readArchiveLog } from '../../../record/log/read-archive-log.ts';
import { tilesOf } from '../../../record/log/tiles.ts';
import { GrowingTree } from '../../../record/log/tree-hash.ts';
import { TIMES } from '../../times.ts';
import { aLeaf, aSigner, someLeaves } from './a-log.ts';
import { MemoryStore } from './memory-store.ts';

const signer = aSigner();

async function foldersIn(store: MemoryStore): Promise<string[]> {
  const folders: string[] = [];
  for await (const { leaf } of (await readArchiveLog(store)).leaves()) folders.push(leaf.folder);
  return folders;
}

/** Fails unless every checkpoint has the root of the first leaves, so that none contradicts another. */
async function expectOneHistory(store: MemoryStore): Promise<void> {
  const keys = [...store.files.keys()].filter((key) => key.startsWith(CHECKPOINTS)).sort();
  expect((await newestCheckpoint(store)).number).toBe(keys.length);
  const leaves = (await readArchiveLog(store)).leaves()[Symbol.asyncIterator]();
  const tree = new GrowingTree();
  for (const key of keys) {
    const { size, root } = (await readCheckpoint(store, checkpointNumber(key)!))!;
    while (tree.size < size) tree.add((await leaves.next()).value.hash);
    expect(root).toEqual(tree.root());
  }
}

describe('appendToLog', () => {
  it('appends in batches, and keeps the order', async () => {
    const store = new MemoryStore();
    for (const [from, count] of [
      [0, 1],
      [1, 2],
      [3, 600],
      [603, 1],
      [604, 700],
    ] as const) {
      await appendToLog(store, signer, someLeaves(count, from));
    }
    expect(await foldersIn(store)).toEqual(someLeaves(1_304).map(({ folder }) => folder));
    await expectOneHistory(store);
  });

  it('leaves the tiles of the log, no batch, and copies of the newest checkpoint', async () => {
    const store = new MemoryStore();
    for (const from of [0, 200, 400, 600]) await appendToLog(store, signer, someLeaves(200, from));
    const keys = [...store.files.keys()].sort();
    expect(keys.filter((key) => /log\/(batches|tile\/(0|entries)\/000\.p)/.test(key))).toEqual([]);
    expect(keys).toEqual(
      expect.arrayContaining(['log/tile/0/000', 'log/tile/0/003.p/32', 'log/tile/entries/001']),
    );
    expect(tilesOf(800)).toHaveLength(9);
    expect(store.files.get('log/checkpoint')).toEqual(store.files.get('log/checkpoints/000000000004'));
    expect(String(store.files.get('log/newest'))).toBe('4\n');
  });

  it('skips leaves that the log has, also twice in a batch', async () => {
    const store = new MemoryStore();
    expect(await appendToLog(store, signer, [...someLeaves(3), aLeaf(2)])).toMatchObject({
      appended: 3,
      size: 3,
    });
    expect(await appendToLog(store, signer, someLeaves(5))).toMatchObject({ appended: 2, known: 3, size: 5 });
    expect(await appendToLog(store, signer, someLeaves(5))).toMatchObject({
      appended: 0,
      known: 5,
      checkpoint: 2,
    });
    expect(await foldersIn(store)).toHaveLength(5);
  });

  it('adds no second leaf for an archive, and appends the others', async () => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(2));
    const other = { ...aLeaf(1), job: 'f'.repeat(64) };
    const appended = await appendToLog(store, signer, [other, aLeaf(7)]);
    expect(appended).toMatchObject({ appended: 1, known: 0, conflicting: [other], size: 3 });
  });

  it.each([
    ['this leaf at no place of the log', `5 ${encodeLeaf(aLeaf(7)).hash.toString('hex')}\n`],
    ['this leaf at the place of another one', `1 ${encodeLeaf(aLeaf(7)).hash.toString('hex')}\n`],
    ['another leaf', `1 ${encodeLeaf(aLeaf(1)).hash.toString('hex')}\n`],
    ['nothing that is a place', 'anything'],
  ])('ignores a place that the signed tree does not have: %s', async (_, place) => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(2));
    store.files.set(placeKeyOf(aLeaf(7)), Buffer.from(place));
    const appended = await appendToLog(store, signer, [aLeaf(7), aLeaf(8), aLeaf(0)]);
    expect(appended).toMatchObject({ appended: 1, known: 1, conflicting: [aLeaf(7)], size: 3 });
  });

  it('reads no more of a long log than of a short one', async () => {
    const reads: string[] = [];
    const store = new MemoryStore(undefined, (call, key) => {
      if (call === 'read') reads.push(key);
    });
    await appendToLog(store, signer, someLeaves(1_000));
    reads.length = 0;
    await appendToLog(store, signer, someLeaves(1, 1_000));
    expect(reads.length).toBeLessThan(25);
  });

  it.each([
    ['another key', aSigner(), 'expected a signature of'],
    [
      'another name',
      aSigner(undefined, 'signalbox.example/other'),
      'this is the log signalbox.example/archive/test',
    ],
  ])('refuses to continue a log with %s', async (_, other, message) => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(1));
    await expect(appendToLog(store, other, someLeaves(2))).rejects.toThrow(message);
    expect(await foldersIn(store)).toHaveLength(1);
  });

  it.each([
    ['a tile', 'log/tile/0/000.p/3', 'expected the root of checkpoint 1'],
    ['the newest checkpoint', 'log/checkpoints/000000000001', 'log/checkpoints/000000000001: expected a'],
  ])('does not sign after %s was changed', async (_, key, message) => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(3));
    store.files.get(key)![40]! ^= 1;
    await expect(appendToLog(store, signer, someLeaves(4))).rejects.toThrow(message);
  });

  it('does not sign after its newest checkpoint was removed', async () => {
    const store = new MemoryStore();
    for (const count of [1, 2]) await appendToLog(store, signer, someLeaves(count));
    store.files.delete('log/checkpoints/000000000002');
    await expect(appendToLog(store, signer, someLeaves(3))).rejects.toThrow(
      '000000000002: expected a checkpoint',
    );
  });
});

/** Lets only one call in; returns when the scheduler of fast-check wants it. */
const storeFor = (files: Map<string, Uint8Array>, scheduler: fc.Scheduler) =>
  new MemoryStore(files, (call, key) =>
    scheduler.schedule(Promise.resolve(), `${call} ${key}`).then(() => undefined),
  );

describe('appenders', () => {
  it('lose and duplicate nothing, in any order of their calls', async () => {
    const batches = fc.array(fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }), {
      minLength: 2,
      maxLength: 4,
    });
    const property = fc.asyncProperty(
      fc.scheduler(),
      batches,
      fc.integer({ min: 0, max: 300 }),
      async (s, all, begin) => {
        const files = new Map<string, Uint8Array>();
        if (begin > 0) await appendToLog(new MemoryStore(files), signer, someLeaves(begin, 1000));
        const running = all.map((numbers) => appendToLog(storeFor(files, s), signer, numbers.map(aLeaf)));
        await s.waitFor(Promise.all(running));
        const store = new MemoryStore(files);
        const expected = new Set(
          [...someLeaves(begin, 1000), ...all.flat().map(aLeaf)].map(({ folder }) => folder),
        );
        const found = await foldersIn(store);
        expect(found.toSorted()).toEqual([...expected].toSorted());
        await expectOneHistory(store);
      },
    );
    await fc.assert(property, { numRuns: 8 * TIMES });
  });

  it('lose and duplicate nothing, wherever they end', async () => {
    const crash = fc.record({
      size: fc.integer({ min: 1, max: 260 }),
      calls: fc.integer({ min: 1, max: 60 }),
    });
    const property = fc.asyncProperty(fc.array(crash, { minLength: 1, maxLength: 6 }), async (crashes) => {
      const files = new Map<string, Uint8Array>();
      let from = 0;
      for (const { size, calls } of crashes) {
        let left = calls;
        const store = new MemoryStore(files, () => {
          left -= 1;
          if (left < 0) throw new Error('crashed');
        });
        await appendToLog(store, signer, someLeaves(size, from)).catch((error: Error) =>
          expect(error.message).toBe('crashed'),
        );
        // What ends between two calls may also read: what is there is whole.
        await expectOneHistory(new MemoryStore(files));
        from += Math.floor(size / 2);
      }
      const store = new MemoryStore(files);
      const last = someLeaves(260 * 2);
      await appendToLog(store, signer, last);
      const folders = await foldersIn(store);
      const found = new Set(folders);
      expect(found.size).toBe(folders.length);
      expect(last.filter(({ folder }) => !found.has(folder))).toEqual([]);
      await expectOneHistory(store);
      expect([...files.keys()].filter((key) => key.startsWith('log/batches/'))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 5 * TIMES });
  });
});
