import { checkpointKey } from '../log/log-keys.ts';
import { GrowingTree } from '../log/tree-hash.ts';
import type { LoggedLeaves } from './logged-leaves.ts';
import type { Verification } from './verification.ts';
import type { VerifiedCheckpoint } from './verify-checkpoints.ts';

/** A checkpoint that was kept outside of the store. */
export interface KeptCheckpoint {
  readonly size: number;
  readonly root: Buffer;
  /** Where it is from, for findings. */
  readonly location: string;
}

/** Checks that all checkpoints, and those that were kept elsewhere, are of one log: each has the root of its first leaves. */
export function verifyRoots(
  { find }: Verification,
  { hashes }: LoggedLeaves,
  {
    checkpoints,
    kept,
  }: { readonly checkpoints: readonly VerifiedCheckpoint[]; readonly kept: readonly KeptCheckpoint[] },
): void {
  const sizes = new Set([...checkpoints, ...kept].map(({ size }) => size));
  const roots = rootsAt(hashes, sizes);
  for (const { number, size, root } of checkpoints) {
    const found = roots.get(size);
    if (found?.equals(root)) continue;
    const expected = `the first ${size} leaves of the log to have the root ${base64(root)}`;
    find({ kind: 'contradiction', key: checkpointKey(number), expected, found: base64(found) });
  }
  for (const { size, root, location } of kept) {
    const found = roots.get(size);
    if (found?.equals(root)) continue;
    const expected = `the log of ${location}, whose first ${size} leaves have the root ${base64(root)}`;
    const instead = found
      ? `another log, with the root ${base64(found)}`
      : `a log of ${hashes.length} leaves: it was rolled back`;
    find({ kind: 'contradiction', key: 'log', expected, found: instead });
  }
}

function rootsAt(hashes: readonly Buffer[], sizes: ReadonlySet<number>): ReadonlyMap<number, Buffer> {
  const roots = new Map<number, Buffer>();
  const tree = new GrowingTree();
  if (sizes.has(0)) roots.set(0, tree.root());
  for (const hash of hashes) {
    tree.add(hash);
    if (sizes.has(tree.size)) roots.set(tree.size, tree.root());
  }
  return roots;
}

const base64 = (root: Buffer | undefined): string => root?.toString('base64') ?? 'fewer leaves';
