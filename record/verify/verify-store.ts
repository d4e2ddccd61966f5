import pMap from 'p-map';
import { JOB_FILE } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { type DeletionLeaf, isDeletion } from '../archive/log-leaf.ts';
import { verifyIndex } from '../index/archive-index.ts';
import { INDEX_FOLDER, partAt } from '../index/parts.ts';
import { LogDamagedError } from '../log/errors.ts';
import { CHECKPOINT_KEY, LOG_PREFIX, leafPlaceKey } from '../log/log-keys.ts';
import type { VerifierKey } from '../log/verifier-key.ts';
import { appendedSince } from './appended-since.ts';
import { findUnlogged } from './find-unlogged.ts';
import { finderKeys } from './finders.ts';
import { type LoggedArchive, loggedArchives } from './logged-archives.ts';
import { loggedLeaves } from './logged-leaves.ts';
import { READS_AT_ONCE, type StoreFinding, StoreListing, type Verification } from './verification.ts';
import { type VerifiedArchive, verifyDeletion, verifyJobArchive } from './verify-archive.ts';
import { type VerifiedCheckpoint, verifyCheckpoints } from './verify-checkpoints.ts';
import { verifyLogFiles } from './verify-log-files.ts';
import { type KeptCheckpoint, verifyRoots } from './verify-roots.ts';
import { verifyTiles } from './verify-tiles.ts';

export interface StoreToVerify {
  readonly store: ArchiveStore;
  /** Public keys that may have signed the log: more than one if a key was replaced. */
  readonly keys: readonly VerifierKey[];
  /** Checkpoints from elsewhere that the log must continue. */
  readonly kept?: readonly KeptCheckpoint[];
  /** Called for each finding, in no order. */
  readonly find: (finding: StoreFinding) => void;
  readonly progress?: (step: string, done?: number, of?: number) => void;
}

/** What was verified. */
export interface VerifiedStore {
  readonly archives: number;
  readonly files: number;
  readonly bytes: number;
  readonly checkpoints: number;
  /** The newest checkpoint that is signed by a given key and belongs to the log. */
  readonly newest?: VerifiedCheckpoint;
  /** Runs that are kept until their job ends: no leaf covers them yet. */
  readonly runs: number;
  /** Archives that the log says were deleted on purpose, in the order of their leaves. */
  readonly deleted: readonly DeletedArchive[];
}

/** An archive that was deleted on purpose, as a signed leaf of the log says. */
export interface DeletedArchive extends Pick<DeletionLeaf, 'folder' | 'workflowId' | 'by' | 'why' | 'at'> {
  /** Index of the leaf of the archive, and of the one that says that it was deleted. */
  readonly leaf: number;
  readonly deletion: number;
}

/** Compares everything in a store with its signed log. Reads every file. */
export async function verifyStore(asked: StoreToVerify): Promise<VerifiedStore> {
  const { store, keys, kept = [], progress = () => undefined } = asked;
  const damaged = new Set<string>();
  const missing: StoreFinding[] = [];
  const find = (finding: StoreFinding) => {
    if (finding.folder !== undefined) damaged.add(finding.folder);
    if (finding.folder !== undefined && finding.kind === 'missing') missing.push(finding);
    else asked.find(finding);
  };
  progress('listing the files');
  const verification: Verification = { store, keys, find, listing: await StoreListing.of(store) };
  progress('verifying the log');
  const { checkpoints, leaves } = await verifyLog(verification, kept);
  const logged = loggedArchives(verification, leaves);
  const { finders, ...read } = await verifyArchives(verification, logged, progress);
  await findUnlogged(verification, { logged, hashes: leaves.hashes, finders });
  for (const finding of await stillMissing(verification, missing, leaves.hashes.length)) asked.find(finding);
  progress('verifying the index');
  const ofDamaged = [...damaged].flatMap((folder) => logged.get(folder)?.index ?? []);
  await verifyIndexFiles(verification, ofDamaged);
  const deleted = deletedAmong(logged);
  return {
    ...{ archives: logged.size - deleted.length, ...read, checkpoints: checkpoints.length },
    newest: leaves.isProven ? checkpoints.at(-1) : undefined,
    runs: verification.listing.under('runs/').length,
    deleted,
  };
}

/** Leaves out what was deleted on purpose while the store was read. */
async function stillMissing(
  verification: Verification,
  missing: readonly StoreFinding[],
  size: number,
): Promise<readonly StoreFinding[]> {
  if (missing.length === 0) return [];
  const leaves = await appendedSince(verification, size);
  const deleted = new Set(leaves.filter(isDeletion).map(({ folder }) => folder));
  return missing.filter(({ folder = '' }) => !deleted.has(folder));
}

const deletedAmong = (logged: ReadonlyMap<string, LoggedArchive>): DeletedArchive[] =>
  [...logged.values()].flatMap(({ index, deletion }) => {
    if (!deletion) return [];
    const { folder, workflowId, by, why, at } = deletion.leaf;
    return [{ folder, workflowId, by, why, at, leaf: index, deletion: deletion.index }];
  });

async function verifyLog(verification: Verification, kept: readonly KeptCheckpoint[]) {
  const checkpoints = await verifyCheckpoints(verification);
  if (verification.listing.under(LOG_PREFIX).length === 0) {
    const expected = 'the log of an archive';
    verification.find({ kind: 'missing', key: CHECKPOINT_KEY, expected, found: 'no file' });
  }
  const leaves = await loggedLeaves(verification, checkpoints);
  verifyRoots(verification, leaves, { checkpoints, kept });
  await verifyTiles(verification, leaves);
  await verifyLogFiles(verification, leaves, checkpoints);
  return { checkpoints, leaves };
}

async function verifyArchives(
  verification: Verification,
  logged: ReadonlyMap<string, LoggedArchive>,
  progress: NonNullable<StoreToVerify['progress']>,
) {
  let done = 0;
  const verified = await pMap(
    logged.values(),
    async (leaf) => {
      const archive = await verifyUnlessGone(verification, leaf);
      done += 1;
      progress('verifying archives', done, logged.size);
      return archive;
    },
    { concurrency: READS_AT_ONCE },
  );
  return {
    files: verified.reduce((sum, { files }) => sum + files, 0),
    bytes: verified.reduce((sum, { bytes }) => sum + bytes, 0),
    finders: new Set(verified.flatMap(({ finders }) => finders)),
  };
}

/** One finding for an archive that is gone as a whole, not one for each of its files. */
async function verifyUnlessGone(verification: Verification, logged: LoggedArchive): Promise<VerifiedArchive> {
  const { listing, store, find } = verification;
  const { folder, job, workflowId } = logged.leaf;
  const key = `${folder}/${JOB_FILE}`;
  if (logged.deletion) return verifyDeletion(verification, logged, logged.deletion);
  if (listing.folders.has(folder) || (await store.read(key))) return verifyJobArchive(verification, logged);
  const expected = `the archive of ${workflowId}, leaf ${logged.index} of the log, with a ${JOB_FILE} of SHA-256 ${job}`;
  find({ kind: 'missing', key: folder, expected, found: 'no files', folder });
  return { files: 0, bytes: 0, finders: [leafPlaceKey(folder), ...finderKeys(logged.leaf)] };
}

/**
 * Compares the index with the archives. Without an intact log, which other checks report, there is nothing to compare.
 * `damaged`: leaves of archives that are not as they were written.
 */
async function verifyIndexFiles(
  { store, listing, find }: Verification,
  damaged: readonly number[],
): Promise<void> {
  const keys = listing.under('index/');
  for (const key of keys) {
    if (key.startsWith(`${INDEX_FOLDER}/`)) continue;
    find({ kind: 'unlogged', key, expected: `only files of ${INDEX_FOLDER}`, found: 'another file' });
  }
  if (keys.length === 0) return;
  try {
    for await (const { key, finding } of verifyIndex(store)) {
      const found = `one that ${finding}${isAboutDamaged(key, damaged) ? MAY_BE_RIGHT : ''}`;
      find({ kind: 'changed', key, expected: 'an index of the archives in the log', found });
    }
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
  }
}

const MAY_BE_RIGHT = '; archives that it covers were changed or are missing, so it may be as it was written';

function isAboutDamaged(key: string, damaged: readonly number[]): boolean {
  const part = partAt(key);
  return part !== undefined && damaged.some((leaf) => part.from <= leaf && leaf < part.to);
}
