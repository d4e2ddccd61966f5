import { errorMessage } from '../../language/error-message.ts';
import { type AnyLeaf, type DeletionLeaf, isDeletion, type LogLeaf } from '../archive/log-leaf.ts';
import { decodeLeaf } from '../log/leaf-bytes.ts';
import { tileKey } from '../log/log-keys.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { hasArchiveFolder } from './finders.ts';
import type { LoggedLeaves } from './logged-leaves.ts';
import type { Verification } from './verification.ts';

/** What the log says of an archive. */
export interface LoggedArchive {
  readonly index: number;
  readonly hash: Buffer;
  readonly leaf: LogLeaf;
  /** The later leaf that says that the archive was deleted. */
  readonly deletion?: LoggedDeletion;
}

export interface LoggedDeletion {
  readonly index: number;
  readonly hash: Buffer;
  readonly leaf: DeletionLeaf;
}

/** Returns the leaves of archives by folder, each with the leaf of its deletion. */
export function loggedArchives(
  { find }: Verification,
  { entries, hashes, tiled }: LoggedLeaves,
): ReadonlyMap<string, LoggedArchive> {
  const logged = new Map<string, LoggedArchive>();
  for (const [index, bytes] of entries.entries()) {
    const key = `${bundleKey(index, Math.max(tiled, 1))}, leaf ${index}`;
    const leaf = bytes && leafIn(bytes);
    if (typeof leaf === 'string') find({ kind: 'changed', key, expected: 'a leaf', found: leaf });
    if (!leaf || typeof leaf === 'string') continue;
    const known = logged.get(leaf.folder);
    const place = { index, hash: hashes[index]! };
    const fault = faultOf(leaf, known);
    if (fault) find({ kind: 'contradiction', key, ...fault, folder: leaf.folder });
    else if (isDeletion(leaf)) logged.set(leaf.folder, { ...known!, deletion: { ...place, leaf } });
    else logged.set(leaf.folder, { ...place, leaf });
  }
  return logged;
}

/** An archive has one leaf, and later at most one that says that it was deleted. */
function faultOf(
  leaf: AnyLeaf,
  known: LoggedArchive | undefined,
): { readonly expected: string; readonly found: string } | undefined {
  if (!isDeletion(leaf)) {
    return (
      known && {
        expected: `one leaf for ${leaf.folder}, which has leaf ${known.index}`,
        found: 'a second one',
      }
    );
  }
  if (!known || !isAbout(leaf, known)) {
    const found = `one of leaf ${leaf.deleted?.leaf}, ${leaf.deleted?.hash}`;
    return { expected: `a deletion of the leaf for ${leaf.folder}`, found };
  }
  if (!known.deletion) return undefined;
  const expected = `one deletion of ${leaf.folder}, which is leaf ${known.deletion.index}`;
  return { expected, found: 'a second one' };
}

export const isAbout = (
  { deleted }: DeletionLeaf,
  { index, hash }: Pick<LoggedArchive, 'index' | 'hash'>,
): boolean => deleted?.leaf === index && deleted.hash === hash.toString('hex');

/** Returns a leaf, or what is wrong with it. */
function leafIn(bytes: Buffer): AnyLeaf | string {
  try {
    const { leaf } = decodeLeaf(bytes);
    return hasArchiveFolder(leaf) ? leaf : `one for the folder ${leaf.folder}`;
  } catch (error) {
    return errorMessage(error);
  }
}

function bundleKey(leaf: number, tiled: number): string {
  const index = Math.floor(leaf / TILE_WIDTH);
  const width = Math.max(1, Math.min(TILE_WIDTH, tiled - index * TILE_WIDTH));
  return tileKey({ level: 'entries', index, width });
}
