import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../../../language/canonical-json.ts';
import { gzipped } from '../../../record/archive/gz-file.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { sha256 } from '../../../record/ledger/chain.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { parseCheckpoint } from '../../../record/log/checkpoint.ts';
import { decodeEntries, encodeEntries } from '../../../record/log/entries.ts';
import type { StoreFinding } from '../../../record/verify/verification.ts';
import { TIMES } from '../../times.ts';
import { aPrivateKey, aSigner } from '../log/a-log.ts';
import { MemoryStore } from '../log/memory-store.ts';
import { anArchive, aStore, copyOf, findingsIn, type WrittenStore } from './a-store.ts';

let written: WrittenStore;

beforeAll(async () => {
  written = await aStore([1, 5, 12, 7, 11]);
});

const verify = (store: MemoryStore, more = {}) => findingsIn(store, written.signer, more);

/** Changes files of a copy of the store, and returns what is found. */
async function findingsAfter(change: (files: Map<string, Uint8Array>) => void | Promise<void>, more = {}) {
  const store = copyOf(written);
  await change(store.files);
  return verify(store, more);
}

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const folderOf = (leaf: number): string => written.leaves[leaf]!.folder;

describe('an unchanged store', () => {
  it('has no finding', async () => {
    expect(await verify(written.store)).toEqual([]);
  });

  it('has none while archives are added', async () => {
    const store = copyOf(written);
    const slow = new MemoryStore(store.files, () => new Promise((resolve) => setImmediate(resolve)));
    let number = 100;
    let isOver = false;
    const adding = (async () => {
      while (!isOver) {
        const leaves = [await anArchive(slow, number), await anArchive(slow, number + 1)];
        await appendToLog(slow, written.signer, leaves);
        await updateIndex(slow);
        number += 2;
      }
    })();
    const findings: StoreFinding[] = [];
    for (let round = 0; round < 8; round += 1) findings.push(...(await verify(slow)));
    isOver = true;
    await adding;
    expect(number).toBeGreaterThan(110);
    // What is not in the log yet when the verification ends is reported as such.
    expect(findings.filter(({ kind, found }) => kind !== 'unlogged' || !found.startsWith('none'))).toEqual(
      [],
    );
  });

  it('has none with a checkpoint of an earlier time', async () => {
    const { size, root } = parseCheckpoint(written.store.files.get('log/checkpoints/000000000003')!);
    expect(await verify(written.store, { kept: [{ size, root, location: 'my notes' }] })).toEqual([]);
  });

  it.each(Array.from({ length: 30 }, (_, calls) => calls))(
    'has only findings about unfinished archives after an appender ended at its call %i',
    async (calls) => {
      const store = copyOf(written);
      const leaf = await anArchive(store, 40);
      let left = calls;
      const crashing = new MemoryStore(store.files, () => {
        left -= 1;
        if (left < 0) throw new Error('crashed');
      });
      await appendToLog(crashing, written.signer, [leaf]).catch(() => undefined);
      const findings = (await verify(store)).filter(({ folder }) => folder !== leaf.folder);
      expect(findings).toEqual([]);
    },
  );
});

describe('single bytes that were changed', () => {
  it('are each found, with the name of the file', async () => {
    // Small: each verification reads the whole store.
    const few = await aStore([1, 2, 3]);
    const random = numbers(20_261_123);
    const files = [...few.store.files].filter(([, bytes]) => bytes.length > 0);
    const unnoticed: string[] = [];
    for (let count = 0; count < 50 * TIMES; count += 1) {
      const [key, bytes] = files[Math.floor(random.next().value * files.length)]!;
      const place = Math.floor(random.next().value * bytes.length);
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1 + Math.floor(random.next().value * 255);
      const store = copyOf(few);
      store.files.set(key, changed);
      const findings = await findingsIn(store, few.signer);
      if (!findings.some((finding) => finding.key.startsWith(key))) unnoticed.push(`${key}, byte ${place}`);
    }
    expect(unnoticed).toEqual([]);
  });
});

const ledgerOf = (files: Map<string, Uint8Array>, folder: string): string[] =>
  gunzipSync(files.get(`${folder}/ledger.jsonl.gz`)!)
    .toString()
    .split('\n')
    .slice(0, -1);

/** Replaces the lines of a ledger, and lets job.json fit. */
async function setLedger(files: Map<string, Uint8Array>, folder: string, lines: readonly string[]) {
  const bytes = await gzipped(lines.map((line) => `${line}\n`).join(''));
  files.set(`${folder}/ledger.jsonl.gz`, bytes);
  const job = JSON.parse(String(files.get(`${folder}/job.json`)));
  job.files['ledger.jsonl.gz'] = { sha256: sha256(bytes), bytes: bytes.length };
  job.ledger = { entries: lines.length, hash: sha256(lines.at(-1) ?? '') };
  files.set(`${folder}/job.json`, Buffer.from(canonicalJson(job)));
}

describe('a change to an archive', () => {
  it('is found if an entry was removed', async () => {
    const folder = folderOf(4);
    const findings = await findingsAfter((files) =>
      setLedger(files, folder, ledgerOf(files, folder).slice(1)),
    );
    expect(findings.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        `${folder}/job.json`,
        `${folder}/ledger.jsonl.gz`,
        `${folder}/ledger.jsonl.gz, line 1`,
      ]),
    );
    expect(findings).toContainEqual(expect.objectContaining({ expected: '2 entries', found: '1' }));
  });

  it('is found if two entries changed places', async () => {
    const folder = folderOf(9);
    const findings = await findingsAfter((files) =>
      setLedger(files, folder, ledgerOf(files, folder).toReversed()),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        key: `${folder}/ledger.jsonl.gz, line 1`,
        expected: 'entry 1',
        found: 'entry 2',
      }),
    );
  });

  it('is found if an archive was added', async () => {
    const store = copyOf(written);
    const { folder } = await anArchive(store, 77);
    expect(await verify(store)).toEqual([
      { kind: 'unlogged', key: folder, expected: 'a leaf for it in the log', found: 'none', folder },
    ]);
  });

  it('is found if a job was removed, with all of its files', async () => {
    const folder = folderOf(7);
    const findings = await findingsAfter((files) => {
      for (const key of files.keys()) if (key.includes('run7')) files.delete(key);
    });
    expect(findings[0]).toMatchObject({ kind: 'missing', key: folder, found: 'no files' });
    expect(new Set(findings.map((finding) => finding.folder ?? finding.key.split('/')[0]))).toEqual(
      new Set([folder, 'index']),
    );
  });

  it('is found if a file was added to an archive', async () => {
    const key = `${folderOf(3)}/history-2.json.gz`;
    const findings = await findingsAfter((files) => void files.set(key, Buffer.from('x')));
    expect(findings).toEqual([expect.objectContaining({ kind: 'unlogged', key })]);
  });
});

describe('a change to the log', () => {
  const BUNDLE = 'log/tile/entries/000.p/36';

  it('is found if two leaves changed places, with their positions', async () => {
    const findings = await findingsAfter((files) => {
      const leaves = decodeEntries(files.get(BUNDLE)!, BUNDLE);
      [leaves[10], leaves[11]] = [leaves[11]!, leaves[10]!];
      files.set(BUNDLE, encodeEntries(leaves));
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'changed',
        key: BUNDLE,
        expected: expect.stringContaining('of leaf 10'),
      }),
    );
  });

  it('is found if a job was removed from store and log', async () => {
    const others = await aStore([1, 5, 11, 7, 11], written);
    const findings = await findingsAfter((files) => {
      for (const key of files.keys()) if (!key.startsWith('log/checkpoint')) files.delete(key);
      for (const [key, bytes] of others.store.files)
        if (!key.startsWith('log/checkpoint')) files.set(key, bytes);
    });
    expect(findings.map(({ kind }) => kind)).toContain('contradiction');
  });

  it('is found if another key signed it', async () => {
    const other = await aStore([1, 5, 12, 7, 11]);
    const findings = await verify(other.store);
    expect(findings[0]).toMatchObject({
      kind: 'signature',
      key: 'log/checkpoints/000000000001, and all up to log/checkpoints/000000000005',
      expected: expect.stringMatching(/^a signature of /),
      found: expect.stringMatching(/^only those of /),
    });
  });

  it.each([
    [
      'replaced',
      async () => (await aStore([36, 3], { signer: written.signer, from: 100 })).store,
      'another log',
    ],
    ['rolled back', async () => (await aStore([1, 5], written)).store, 'it was rolled back'],
    ['removed', async () => new MemoryStore(), 'it was rolled back'],
  ])('is found if it was %s, by an earlier checkpoint', async (_, made, found) => {
    const { size, root } = parseCheckpoint(written.store.files.get('log/checkpoint')!);
    const findings = await verify(await made(), { kept: [{ size, root, location: 'my notes' }] });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'contradiction', key: 'log', found: expect.stringContaining(found) }),
    );
  });

  it.each([
    ['a checkpoint', 'log/checkpoints/000000000002'],
    ['the copy of the newest checkpoint', 'log/checkpoint'],
    ['a tile', 'log/tile/0/000.p/36'],
    ['the entries', BUNDLE],
    ['the place of a leaf', 'log/leaves/namespace=ml/day=2026-11-10/train-0-run0'],
  ])('is found if %s was removed', async (_, key) => {
    expect(written.store.files.has(key)).toBe(true);
    const findings = await findingsAfter((files) => void files.delete(key));
    expect(findings).toContainEqual(expect.objectContaining({ key }));
  });

  it('is found if two checkpoints changed places', async () => {
    const findings = await findingsAfter((files) => {
      const [third, fourth] = [3, 4].map((number) => files.get(`log/checkpoints/00000000000${number}`)!);
      files.set('log/checkpoints/000000000003', fourth!).set('log/checkpoints/000000000004', third!);
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'contradiction', key: 'log/checkpoints/000000000004' }),
    );
  });

  it.each([
    'log/other',
    'log/batches/000000000009-ab',
    'log/tile/0/001',
    'index/x',
    'notes.txt',
    'jobs/x',
    'names/x/y',
  ])('is found if there is a file %s', async (key) => {
    const findings = await findingsAfter((files) => void files.set(key, Buffer.from('x')));
    expect(findings).toEqual([expect.objectContaining({ kind: 'unlogged', key })]);
  });
});

describe('a key that was replaced', () => {
  it('is verified with the old key, and with the new one from its first signature on', async () => {
    const [first, second] = [aPrivateKey(), aPrivateKey()];
    const old = await aStore([2, 3], { signer: aSigner(first) });
    const both = aSigner(`${second}${first}`);
    const leaf = await anArchive(old.store, 5);
    await appendToLog(old.store, both, [leaf]);
    await appendToLog(old.store, aSigner(second), [await anArchive(old.store, 6)]);
    expect(await findingsIn(old.store, both)).toEqual([]);
    expect(await findingsIn(old.store, aSigner(second))).toEqual([
      expect.objectContaining({
        key: 'log/checkpoints/000000000001, and all up to log/checkpoints/000000000002',
      }),
    ]);
  });
});
