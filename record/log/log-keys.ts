import { type AnyLeaf, isDeletion } from '../archive/log-leaf.ts';
import { type Tile, tilePath } from './tiles.ts';

/**
 * Where the log is in its store.
 *
 *     log/checkpoints/000000000012             a signed checkpoint; each appender creates the next number
 *     log/batches/000000000013-5f0c…           leaves that are being appended, named by the root that they lead to
 *     log/tile/…                               hashes and leaves (C2SP tlog-tiles)
 *     log/leaves/namespace=ml/day=…/train-5f0c…   index and hash of the leaf of an archive
 *     log/deletions/namespace=ml/day=…/train-5f0c…   the same of the leaf that says that an archive was deleted
 *     log/checkpoint                           copy of the newest checkpoint
 *     log/newest                               its number, where a search for the newest one begins
 */
export const LOG_PREFIX = 'log/';
export const CHECKPOINT_KEY = 'log/checkpoint';
export const NEWEST_KEY = 'log/newest';
export const CHECKPOINTS = 'log/checkpoints/';
export const BATCHES = 'log/batches/';
export const LEAVES = 'log/leaves/';
export const DELETIONS = 'log/deletions/';

const DIGITS = 12;
const padded = (number: number): string => String(number).padStart(DIGITS, '0');

export const checkpointKey = (number: number): string => `${CHECKPOINTS}${padded(number)}`;

export const tileKey = (tile: Tile): string => `${LOG_PREFIX}${tilePath(tile)}`;

/** A batch of leaves that leads from checkpoint `number - 1` to `number`, if that one gets this root. */
interface Batch {
  readonly number: number;
  readonly root: Buffer;
}

export const batchKey = ({ number, root }: Batch): string =>
  `${BATCHES}${padded(number)}-${root.toString('hex')}`;

/** Returns the number of a checkpoint's key; undefined if it is no such key. */
export function checkpointNumber(key: string): number | undefined {
  const number = Number(key.slice(CHECKPOINTS.length));
  return number > 0 && checkpointKey(number) === key ? number : undefined;
}

/** Returns the batch of a key; undefined if it is no such key. */
export function batchAt(key: string): Batch | undefined {
  const [number = '', root = ''] = key.slice(BATCHES.length).split('-');
  const batch = { number: Number(number), root: Buffer.from(root, 'hex') };
  return batch.number > 0 && batchKey(batch) === key ? batch : undefined;
}

/** Returns where the place of an archive's leaf is noted. `folder`: see `archiveFolder`. */
export const leafPlaceKey = (folder: string): string => `${LEAVES}${folder.replace(/^jobs\//, '')}`;

/** Returns where the place of the leaf is noted that says that an archive was deleted. */
export const deletionPlaceKey = (folder: string): string => `${DELETIONS}${folder.replace(/^jobs\//, '')}`;

export const placeKeyOf = (leaf: AnyLeaf): string =>
  isDeletion(leaf) ? deletionPlaceKey(leaf.folder) : leafPlaceKey(leaf.folder);
