import { describe, expect, it } from '@jest/globals';
import { growEdge, rootOfEdge } from '../../../record/log/edge.ts';
import { EMPTY_ROOT, GrowingTree, leafHash, nodeHash, rootOf } from '../../../record/log/tree-hash.ts';

/** The leaves of the test vectors of Certificate Transparency, and the roots over the first of them. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS: readonly (readonly [number, string])[] = [
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
];

/** As RFC 6962 writes it: split at the largest power of two below the size. */
function byTheBook(hashes: readonly Buffer[]): Buffer {
  if (hashes.length <= 1) return hashes[0] ?? EMPTY_ROOT;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return nodeHash(byTheBook(hashes.slice(0, split)), byTheBook(hashes.slice(split)));
}

const hashes = LEAVES.map((leaf) => leafHash(Buffer.from(leaf, 'hex')));
const many = Array.from({ length: 65_793 }, (_, index) => leafHash(Buffer.from(`leaf ${index}`)));

describe('the root of a log', () => {
  it.each(ROOTS)('of the first %i leaves equals the test vector', (size, root) => {
    expect(rootOf(hashes.slice(0, size)).toString('hex')).toBe(root);
  });

  it.each([9, 255, 256, 257, 1000, 65_535, 65_536, 65_793])(
    'is the same by definition, leaf by leaf and by the edge of tiles, for %i leaves',
    (size) => {
      const some = many.slice(0, size);
      const root = byTheBook(some);
      const cut = Math.floor(size * 0.7);
      const first = growEdge([], 0, some.slice(0, cut));
      const second = growEdge(first.edge, cut, some.slice(cut));
      expect(rootOf(some)).toEqual(root);
      expect(rootOfEdge(second.edge)).toEqual(root);
    },
  );

  it('keeps one hash for each perfect subtree', () => {
    const tree = new GrowingTree();
    for (const hash of many.slice(0, 1000)) tree.add(hash);
    expect({ size: tree.size, subtrees: tree.subtrees.length }).toEqual({ size: 1000, subtrees: 6 });
  });
});
