import pMap from 'p-map';
import { ArchiveError } from '../archive/archive-errors.ts';
import { JOB_FILE } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { type AnyLeaf, DELETION_SCHEMA, type DeletionLeaf, isDeletion } from '../archive/log-leaf.ts';
import { updateIndex } from '../index/archive-index.ts';
import { appendToLog } from '../log/append.ts';
import { LogDamagedError } from '../log/errors.ts';
import { readLeafPlace } from '../log/leaf-place.ts';
import { deletionPlaceKey, leafPlaceKey, placeKeyOf } from '../log/log-keys.ts';
import { type ArchiveLog, readArchiveLog } from '../log/read-archive-log.ts';
import { SignedTree } from '../log/signed-tree.ts';
import type { LogSigner } from '../log/signer.ts';
import { finderKeys } from '../verify/finders.ts';

interface ArchiveDeletion extends Pick<DeletionLeaf, 'by' | 'why' | 'at'> {
  readonly folders: readonly string[];
}

/** Files that are read or removed at a time. */
const AT_ONCE = 16;
/** Leaves of one checkpoint. */
const STEP = 1_000;

/**
 * Deletes archives: appends a leaf for each to the log, which says who deleted it and why, then removes its files, its rows
 * of the index, and last what finds it by name. If it throws, or its process ends, it is called again with the same folders.
 * Throws if the log does not have an archive, before anything is deleted.
 */
export async function deleteArchives(
  store: ArchiveStore,
  signer: LogSigner,
  { folders, ...deletion }: ArchiveDeletion,
): Promise<void> {
  const log = await readArchiveLog(store);
  const leaves = await pMap(folders, (folder) => leafOfArchive(store, log, folder), { concurrency: AT_ONCE });
  for (let start = 0; start < leaves.length; start += STEP) {
    const some = leaves.slice(start, start + STEP);
    const tree = await SignedTree.open(store, signer);
    const fresh = await pMap(some, (leaf) => unlessDeleted(tree, leaf), { concurrency: AT_ONCE });
    const deletions = fresh.filter((one) => one !== undefined).map((one) => deletionOf(one, deletion));
    const { conflicting } = await appendToLog(store, signer, deletions);
    if (conflicting.length > 0) await refuse(await SignedTree.open(store, signer), conflicting);
    await pMap(some, ({ leaf }) => removeFiles(store, leaf.folder), { concurrency: AT_ONCE });
    await updateIndex(store);
    await pMap(some, ({ leaf }) => removeFinders(store, leaf), { concurrency: AT_ONCE });
  }
}

interface PlacedLeaf {
  readonly leaf: AnyLeaf;
  readonly index: number;
  readonly hash: Buffer;
}

async function leafOfArchive(store: ArchiveStore, log: ArchiveLog, folder: string): Promise<PlacedLeaf> {
  const key = leafPlaceKey(folder);
  const place = await readLeafPlace(store, key);
  if (!place) {
    throw new ArchiveError(`${folder} in ${store.location}: expected an archive in the log, found none.`, {
      remedy: 'An archive can be deleted when the archiver has entered it: `signalbox archive status`.',
    });
  }
  for await (const logged of log.leaves(place.index, place.index + 1)) {
    if (logged.leaf.folder === folder && logged.hash.toString('hex') === place.hash) return logged;
  }
  throw new LogDamagedError(key, `the place of the leaf of ${folder}`, `${place.index}`);
}

/** The first one who says why an archive is deleted is who deleted it. */
const unlessDeleted = async (tree: SignedTree, placed: PlacedLeaf): Promise<PlacedLeaf | undefined> =>
  isDeletionOf(await tree.leafAt(deletionPlaceKey(placed.leaf.folder)), placed) ? undefined : placed;

const isDeletionOf = (
  logged: Pick<PlacedLeaf, 'leaf'> | undefined,
  { leaf }: Pick<PlacedLeaf, 'leaf'>,
): boolean => logged !== undefined && isDeletion(logged.leaf) && logged.leaf.folder === leaf.folder;

/** Another one may have deleted it meanwhile. Nothing is deleted whose deletion is not in the log. */
async function refuse(tree: SignedTree, conflicting: readonly AnyLeaf[]): Promise<void> {
  for (const leaf of conflicting) {
    const key = placeKeyOf(leaf);
    if (isDeletionOf(await tree.leafAt(key), { leaf })) continue;
    throw new LogDamagedError(key, 'the place of a deletion in the log', 'one that is not there');
  }
}

const deletionOf = (
  { leaf: { folder, workflowId, firstRunId }, index, hash }: PlacedLeaf,
  deletion: Pick<DeletionLeaf, 'by' | 'why' | 'at'>,
): DeletionLeaf => ({
  schema: DELETION_SCHEMA,
  ...{ folder, workflowId, firstRunId },
  deleted: { leaf: index, hash: hash.toString('hex') },
  ...deletion,
});

/** job.json first: what is left must not count as an archive. */
async function removeFiles(store: ArchiveStore, folder: string): Promise<void> {
  await store.remove(`${folder}/${JOB_FILE}`);
  const keys: string[] = [];
  for await (const key of store.list(`${folder}/`)) keys.push(key);
  for (const key of keys) await store.remove(key);
}

/** The name last: as long as it is there, the deletion can be repeated by name. */
async function removeFinders(store: ArchiveStore, leaf: AnyLeaf): Promise<void> {
  for (const key of finderKeys(leaf).toReversed()) await store.remove(key);
}
