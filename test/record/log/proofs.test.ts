import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendToLog } from '../../../record/log/append.ts';
import { encodeLeaf } from '../../../record/log/leaf-bytes.ts';
import {
  consistencyProof,
  inclusionProof,
  isContinued,
  rootOfInclusion,
} from '../../../record/log/proofs.ts';
import { EMPTY_ROOT, GrowingTree } from '../../../record/log/tree-hash.ts';
import { TreeReader } from '../../../record/log/tree-reader.ts';
import { TIMES } from '../../times.ts';
import { aSigner, someLeaves } from './a-log.ts';
import { MemoryStore } from './memory-store.ts';

const SIZE = 1_300;
const hashes = someLeaves(SIZE + 1).map((leaf) => encodeLeaf(leaf).hash);
const store = new MemoryStore();
const signer = aSigner();

beforeAll(() => appendToLog(store, signer, someLeaves(SIZE)));

/** Of each size, from 0. */
function rootsOf(leaves: readonly Buffer[]): readonly Buffer[] {
  const tree = new GrowingTree();
  const add = (leaf: Buffer) => {
    tree.add(leaf);
    return tree.root();
  };
  return [EMPTY_ROOT, ...leaves.map(add)];
}

const roots = rootsOf(hashes);
const rootsOfOther = rootsOf(hashes.slice(1));
const rootAt = (size: number) => roots[size]!;
const size = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: SIZE }));

describe('a proof of inclusion', () => {
  it('leads from each leaf to the root, in a log of any size', async () => {
    const property = fc.asyncProperty(size, fc.nat(SIZE), async (of, number) => {
      const index = number % of;
      const proof = await inclusionProof(new TreeReader(store, SIZE), { index, size: of });
      expect(rootOfInclusion(hashes[index]!, { index, size: of, proof })).toEqual(rootAt(of));
      const another = rootOfInclusion(hashes[index + 1]!, { index, size: of, proof });
      expect(another).not.toEqual(rootAt(of));
      expect(
        rootOfInclusion(hashes[index]!, { index, size: of, proof: [...proof, hashes[0]!] }),
      ).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 100 * TIMES });
  });
});

describe('a proof of consistency', () => {
  it('holds between any two sizes, and not for another log', async () => {
    const property = fc.asyncProperty(size, size, async (one, other) => {
      const [before, now] = [Math.min(one, other), Math.max(one, other)];
      const proof = await consistencyProof(new TreeReader(store, SIZE), { before, size: now });
      const heads = { before: { size: before, root: rootAt(before) }, now: { size: now, root: rootAt(now) } };
      expect(isContinued(heads, proof)).toBe(true);
      const forged = rootsOfOther[before]!;
      expect(isContinued({ ...heads, before: { size: before, root: forged } }, proof)).toBe(false);
      expect(isContinued({ ...heads, now: { size: now, root: rootsOfOther[now]! } }, proof)).toBe(false);
    });
    await fc.assert(property, { numRuns: 100 * TIMES });
  });
});

describe('an appender that knows the last signed tree', () => {
  it('continues its log', async () => {
    const log = new MemoryStore();
    const { signed } = await appendToLog(log, signer, someLeaves(300));
    const next = await appendToLog(log, signer, someLeaves(700), { signed });
    expect(await appendToLog(log, signer, someLeaves(701), { signed })).toMatchObject({ size: 701 });
    expect(await appendToLog(log, signer, someLeaves(702), next)).toMatchObject({ size: 702 });
  });

  it.each([
    ['another key', aSigner()],
    ['another name', aSigner(undefined, 'signalbox.example/new')],
  ])('begins a new log with %s', async (_, other) => {
    const { signed } = await appendToLog(new MemoryStore(), signer, someLeaves(3));
    expect(await appendToLog(new MemoryStore(), other, someLeaves(1), { signed })).toMatchObject({ size: 1 });
  });

  it.each([
    ['rolled back', 200, 0, 'the store was rolled back'],
    ['replaced by a longer log', 400, 1, 'another log'],
    ['removed', 0, 0, 'the store was rolled back'],
  ])('does not sign after the store was %s', async (_, count, from, message) => {
    const { signed } = await appendToLog(new MemoryStore(), signer, someLeaves(300));
    const log = new MemoryStore();
    if (count > 0) await appendToLog(log, signer, someLeaves(count, from));
    const before = new Map(log.files);
    await expect(appendToLog(log, signer, someLeaves(5, 5_000), { signed })).rejects.toThrow(message);
    expect(log.files).toEqual(before);
  });
});
