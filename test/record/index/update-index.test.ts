import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listParts } from '../../../record/index/list-parts.ts';
import { partRangesOf } from '../../../record/index/part-ranges.ts';
import { choosePartSet } from '../../../record/index/part-set.ts';
import { INDEX_FOLDER } from '../../../record/index/parts.ts';
import { readPart } from '../../../record/index/read-part.ts';
import { updateIndexFrom } from '../../../record/index/update-index.ts';
import { verifyIndexFrom } from '../../../record/index/verify-index.ts';
import { sha256 } from '../../../record/ledger/chain.ts';
import { TIMES } from '../../times.ts';
import { allOf } from '../archive/all-of.ts';
import { MemoryStore } from '../log/memory-store.ts';
import { madeUpJob, madeUpSource } from './made-up-jobs.ts';

/** Merges happen at every level with few jobs. */
const SMALL = { sizes: { fan: 2, largest: 8 }, step: 4 };
const update = (store: MemoryStore, size: number, more: { again?: boolean } = {}) =>
  updateIndexFrom(store, madeUpSource(size), { ...SMALL, ...more });

const keysOf = (store: MemoryStore) => [...store.files.keys()].sort();

/** The same files, and a function that is called first, and may throw to play a crash. */
const watched = (store: MemoryStore, before: (call: string) => void | Promise<void>) =>
  new MemoryStore(store.files, before);

const rangesIn = (store: MemoryStore) =>
  keysOf(store)
    .filter((key) => key.includes('/jobs/'))
    .map((key) => key.replace(/.*jobs\/0*(\d+)-0*(\d+)-.*/, '$1-$2'));

/** What a reader sees: the leaves of the parts that it chooses. */
async function leavesSeenIn(store: MemoryStore) {
  const leaves: unknown[] = [];
  for (const { jobs } of choosePartSet(await listParts(store)).pairs) {
    for await (const rows of readPart((await store.read(jobs.key))!))
      leaves.push(...rows.map((row) => row.leaf));
  }
  return leaves;
}
const upTo = (size: number) => Array.from({ length: size }, (_, leaf) => leaf);

async function expectWhole(store: MemoryStore, size: number): Promise<void> {
  expect(await leavesSeenIn(store)).toEqual(upTo(size));
  expect(rangesIn(store)).toEqual(partRangesOf(size, SMALL.sizes).map(({ from, to }) => `${from}-${to}`));
  expect(await allOf(verifyIndexFrom(store, madeUpSource(size)))).toEqual([]);
}

describe('the index', () => {
  test('has a row for each job and each entry of its ledger, in the order of the log', async () => {
    const store = new MemoryStore();
    await update(store, 3);
    const [pair] = choosePartSet(await listParts(store)).pairs;
    const entries = (await allOf(readPart(store.files.get(pair!.entries.key)!))).flat();
    const expected = [0, 1].flatMap((leaf) => madeUpJob(leaf).ledger.map(({ seq }) => ({ leaf, seq })));
    expect(entries.map(({ leaf, seq }) => ({ leaf, seq }))).toEqual(expected);
  });

  test.each([0, 1, 2, 3, 7, 8, 9, 16, 21])(
    'of %i jobs has the parts that follow from the number',
    async (size) => {
      const store = new MemoryStore();
      await update(store, size);
      await expectWhole(store, size);
    },
  );

  test('has the same files if it grows job by job', async () => {
    const [grown, made] = [new MemoryStore(), new MemoryStore()];
    for (const size of upTo(22)) await update(grown, size);
    await update(made, 21);
    expect(keysOf(grown)).toEqual(keysOf(made));
  });

  test('does not change if it is up to date', async () => {
    const store = new MemoryStore();
    await update(store, 21);
    expect(await update(store, 21)).toEqual({
      size: 21,
      created: [],
      removed: [],
    });
  });

  test('does not change if it covers more than the caller knows', async () => {
    const store = new MemoryStore();
    await update(store, 21);
    expect(await update(store, 9)).toEqual({
      size: 21,
      created: [],
      removed: [],
    });
  });

  test('of 100,000 jobs has at most 32 parts for each table', () => {
    const most = Math.max(...upTo(1000).map((index) => partRangesOf(99_001 + index).length));
    expect(most).toBeLessThanOrEqual(32);
    expect(partRangesOf(100_000)).toHaveLength(12);
  });
});

describe('a merge', () => {
  test('reads no archive again', async () => {
    const store = new MemoryStore();
    await update(store, 7);
    const read: number[] = [];
    const source = madeUpSource(8, (leaf) => {
      read.push(leaf);
      return madeUpJob(leaf);
    });
    await updateIndexFrom(store, source, SMALL);
    expect(read).toEqual([7]);
    await expectWhole(store, 8);
  });

  test('removes merged parts only after the new ones are whole', async () => {
    const store = new MemoryStore();
    await update(store, 7);
    const looking = watched(store, async (call) => {
      if (call === 'remove') expect(await leavesSeenIn(store)).toEqual(upTo(8));
    });
    await update(looking, 8);
    expect.hasAssertions();
  });

  test('rebuilds a changed part from the archives', async () => {
    const store = new MemoryStore();
    await update(store, 7);
    flipByteOf(store, keysOf(store).find((key) => key.includes('/entries/'))!);
    await update(store, 8);
    await expectWhole(store, 8);
  });
});

describe('a concurrent change does no harm:', () => {
  test('after a crash at any call, readers see whole jobs, and the next update completes it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }),
        fc.nat(120),
        async (steps, crash) => {
          const store = new MemoryStore();
          let calls = 0;
          const crashing = watched(store, () => {
            if (calls++ === crash) throw new Error('crash');
          });
          let size = 0;
          for (const step of steps) {
            size += step;
            await update(crashing, size).catch((error: Error) => expect(error.message).toBe('crash'));
            const seen = await leavesSeenIn(store);
            expect(seen).toEqual(upTo(seen.length));
          }
          await update(store, size);
          await expectWhole(store, size);
        },
      ),
      { numRuns: 10 * TIMES },
    );
  });

  test('two updates at once succeed in any order of their changes, also with logs of different length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 8 }),
        async (scheduler, size, more) => {
          const store = new MemoryStore();
          await update(store, Math.floor(size / 2));
          const slow = watched(store, (call) => scheduler.schedule(Promise.resolve(), call));
          const both = Promise.all([update(slow, size), update(slow, size + more)]);
          await scheduler.waitFor(both);
          expect(await leavesSeenIn(store)).toEqual(upTo(size + more));
          await update(store, size + more);
          await expectWhole(store, size + more);
        },
      ),
      { numRuns: 5 * TIMES },
    );
  });
});

describe('the verification of an index', () => {
  test('finds each changed byte', async () => {
    const store = new MemoryStore();
    await update(store, 3);
    for (const key of keysOf(store)) {
      flipByteOf(store, key);
      const findings = await allOf(verifyIndexFrom(store, madeUpSource(3)));
      expect(findings).toEqual([{ key, finding: expect.stringContaining('changed') }]);
      flipByteOf(store, key);
    }
  });

  test('finds a part that differs from the archives, under a name that fits it', async () => {
    const store = new MemoryStore();
    const forged = madeUpSource(2, (leaf) => {
      const { job, ledger } = madeUpJob(leaf);
      return {
        job: {
          ...job,
          submitted: { ...job.submitted, who: { given: 'mallory' } },
        },
        ledger,
      };
    });
    await updateIndexFrom(store, forged, SMALL);
    const findings = await allOf(verifyIndexFrom(store, madeUpSource(2)));
    expect(findings).toEqual([
      {
        key: expect.stringContaining('/jobs/'),
        finding: 'does not say what the archives say',
      },
    ]);
  });

  test('finds unknown files, and an index of more jobs than the log has', async () => {
    const store = new MemoryStore();
    await update(store, 4);
    await store.create('index/v5/jobs/extra.parquet', Buffer.from('x'));
    const findings = await allOf(verifyIndexFrom(store, madeUpSource(2)));
    expect(findings.map(({ finding }) => finding)).toEqual([
      'covers 4 archives, but the log has 2',
      'is no part of an index',
    ]);
  });

  test('succeeds after the index was rebuilt', async () => {
    const store = new MemoryStore();
    await update(store, 9);
    for (const key of keysOf(store)) flipByteOf(store, key);
    await update(store, 9, { again: true });
    await expectWhole(store, 9);
  });
});

test('the bytes of a part match this version of the index: raise INDEX_VERSION when they change', async () => {
  const store = new MemoryStore();
  await updateIndexFrom(store, madeUpSource(8));
  expect(keysOf(store).map((key) => key.replace(/-([0-9a-f]{8})[0-9a-f]+\./, '-$1.'))).toMatchInlineSnapshot(`
   [
     "index/v5/entries/000000000-000000008-aa40a989.parquet",
     "index/v5/jobs/000000000-000000008-6b416daa.parquet",
   ]
  `);
  for (const [key, bytes] of store.files) expect(key).toContain(sha256(bytes));
});

test('docs/audit.md names this version of the index', () => {
  const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  expect(new Set(page.match(/index\/v\d+/g))).toEqual(new Set([INDEX_FOLDER]));
});

function flipByteOf(store: MemoryStore, key: string): void {
  const bytes = store.files.get(key)!.slice();
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = bytes[middle]! ^ 1;
  store.files.set(key, bytes);
}
