import type { LogLeaf } from '../archive/log-leaf.ts';
import { decodeLeaf } from '../log/leaf-bytes.ts';
import { tileKey } from '../log/log-keys.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { hasArchiveFolder } from './finders.ts';
import type { LoggedLeaves } from './logged-leaves.ts';
import type { Verification } from './verification.ts';

/** What the log says of an archive. */
export interface VouchedLeaf {
  readonly index: number;
  readonly hash: Buffer;
  readonly leaf: LogLeaf;
}

/** Returns the leaves by the folder of their archive. */
export function vouchedLeaves(
  { find }: Verification,
  { entries, hashes, tiled }: LoggedLeaves,
): ReadonlyMap<string, VouchedLeaf> {
  const vouched = new Map<string, VouchedLeaf>();
  for (const [index, bytes] of entries.entries()) {
    const key = `${bundleKey(index, Math.max(tiled, 1))}, leaf ${index}`;
    const leaf = bytes && leafIn(bytes);
    if (typeof leaf === 'string') find({ kind: 'changed', key, expected: 'a leaf', found: leaf });
    if (!leaf || typeof leaf === 'string') continue;
    const twice = vouched.get(leaf.folder);
    if (twice) {
      const expected = `one leaf for ${leaf.folder}, which has leaf ${twice.index}`;
      find({ kind: 'contradiction', key, expected, found: 'a second one', folder: leaf.folder });
    } else vouched.set(leaf.folder, { index, hash: hashes[index]!, leaf });
  }
  return vouched;
}

/** Returns a leaf, or what is wrong with it. */
function leafIn(bytes: Buffer): LogLeaf | string {
  try {
    const { leaf } = decodeLeaf(bytes);
    return hasArchiveFolder(leaf) ? leaf : `one for the folder ${leaf.folder}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function bundleKey(leaf: number, tiled: number): string {
  const index = Math.floor(leaf / TILE_WIDTH);
  const width = Math.max(1, Math.min(TILE_WIDTH, tiled - index * TILE_WIDTH));
  return tileKey({ level: 'entries', index, width });
}
