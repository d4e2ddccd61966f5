import { nodeHash } from './tree-hash.ts';
import { largestPower, type TreeReader } from './tree-reader.ts';

/** Proofs of RFC 6962, sections 2.1.1 and 2.1.2. The hashes go from the leaves up. */

/** Proves that a leaf is in a log of this size. */
export async function inclusionProof(
  tree: TreeReader,
  { index, size }: { readonly index: number; readonly size: number },
): Promise<Buffer[]> {
  const proof: Buffer[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const split = from + splitOf(to - from);
    const isLeft = index < split;
    proof.unshift(await (isLeft ? tree.root(split, to) : tree.root(from, split)));
    if (isLeft) to = split;
    else from = split;
  }
  return proof;
}

/** Returns the root to which a leaf and its proof lead; undefined if the proof has too few or too many hashes. */
export function rootOfInclusion(
  leaf: Buffer,
  {
    index,
    size,
    proof,
  }: { readonly index: number; readonly size: number; readonly proof: readonly Buffer[] },
): Buffer | undefined {
  const sides: boolean[] = [];
  let [place, width] = [index, size];
  while (width > 1) {
    const split = splitOf(width);
    const isLeft = place < split;
    sides.unshift(isLeft);
    if (!isLeft) place -= split;
    width = isLeft ? split : width - split;
  }
  if (index >= size || proof.length !== sides.length) return undefined;
  return proof.reduce(
    (hash, sibling, step) => (sides[step] ? nodeHash(hash, sibling) : nodeHash(sibling, hash)),
    leaf,
  );
}

/** Proves that the first `before` leaves of a log are a log that it continues. */
export async function consistencyProof(
  tree: TreeReader,
  { before, size }: { readonly before: number; readonly size: number },
): Promise<Buffer[]> {
  const proof: Buffer[] = [];
  let [from, to] = [0, size];
  while (before !== to) {
    const split = from + splitOf(to - from);
    const isLeft = before <= split;
    proof.unshift(await (isLeft ? tree.root(split, to) : tree.root(from, split)));
    if (isLeft) to = split;
    else from = split;
  }
  return from === 0 ? proof : [await tree.root(from, to), ...proof];
}

interface Heads {
  readonly before: { readonly size: number; readonly root: Buffer };
  readonly now: { readonly size: number; readonly root: Buffer };
}

/** Whether a log continues an earlier one, by the proof of `consistencyProof`. */
export function isContinued({ before, now }: Heads, proof: readonly Buffer[]): boolean {
  if (before.size === 0 || before.size > now.size) return before.size === 0;
  const sides: boolean[] = [];
  let [from, to] = [0, now.size];
  while (before.size !== to) {
    const split = from + splitOf(to - from);
    const isLeft = before.size <= split;
    sides.unshift(isLeft);
    if (isLeft) to = split;
    else from = split;
  }
  const [first, ...rest] = from === 0 ? [before.root, ...proof] : proof;
  if (!first || rest.length !== sides.length) return false;
  let [older, newer] = [first, first];
  for (const [step, sibling] of rest.entries()) {
    if (!sides[step]) older = nodeHash(sibling, older);
    newer = sides[step] ? nodeHash(newer, sibling) : nodeHash(sibling, newer);
  }
  return older.equals(before.root) && newer.equals(now.root);
}

/** Where RFC 6962 splits a tree: at the largest power of two below its size. */
const splitOf = (size: number): number => largestPower(size - 1);
