import pMap from 'p-map';
import { JOB_FILE } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { CHECKPOINT_KEY, LOG_PREFIX, leafPlaceKey } from '../log/log-keys.ts';
import type { VerifierKey } from '../log/verifier-key.ts';
import { findUnvouched } from './find-unvouched.ts';
import { finderKeys } from './finders.ts';
import { loggedLeaves } from './logged-leaves.ts';
import { READS_AT_ONCE, type StoreFinding, StoreListing, type Verification } from './verification.ts';
import { type VerifiedArchive, verifyJobArchive } from './verify-archive.ts';
import { type VerifiedCheckpoint, verifyCheckpoints } from './verify-checkpoints.ts';
import { verifyIndexFiles } from './verify-index-files.ts';
import { verifyLogFiles } from './verify-log-files.ts';
import { type KeptCheckpoint, verifyRoots } from './verify-roots.ts';
import { verifyTiles } from './verify-tiles.ts';
import { type VouchedLeaf, vouchedLeaves } from './vouched.ts';

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
}

/** Compares everything in a store with its signed log. Reads every file. */
export async function verifyStore(asked: StoreToVerify): Promise<VerifiedStore> {
  const { store, keys, kept = [], progress = () => undefined } = asked;
  const damaged = new Set<string>();
  const find = (finding: StoreFinding) => {
    if (finding.folder !== undefined) damaged.add(finding.folder);
    asked.find(finding);
  };
  progress('listing the files');
  const verification: Verification = { store, keys, find, listing: await StoreListing.of(store) };
  progress('verifying the log');
  const { checkpoints, leaves } = await verifyLog(verification, kept);
  const vouched = vouchedLeaves(verification, leaves);
  const { finders, ...read } = await verifyArchives(verification, vouched, progress);
  await findUnvouched(verification, { vouched, hashes: leaves.hashes, finders });
  progress('verifying the index');
  const ofDamaged = [...damaged].flatMap((folder) => vouched.get(folder)?.index ?? []);
  await verifyIndexFiles(verification, ofDamaged);
  return {
    ...{ archives: vouched.size, ...read, checkpoints: checkpoints.length },
    newest: leaves.isProven ? checkpoints.at(-1) : undefined,
    runs: verification.listing.under('runs/').length,
  };
}

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
  vouched: ReadonlyMap<string, VouchedLeaf>,
  progress: NonNullable<StoreToVerify['progress']>,
) {
  let done = 0;
  const verified = await pMap(
    vouched.values(),
    async (leaf) => {
      const archive = await verifyUnlessGone(verification, leaf);
      done += 1;
      progress('verifying archives', done, vouched.size);
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
async function verifyUnlessGone(verification: Verification, vouched: VouchedLeaf): Promise<VerifiedArchive> {
  const { listing, store, find } = verification;
  const { folder, job, workflowId } = vouched.leaf;
  const key = `${folder}/${JOB_FILE}`;
  if (listing.folders.has(folder) || (await store.read(key))) return verifyJobArchive(verification, vouched);
  const expected = `the archive of ${workflowId}, leaf ${vouched.index} of the log, with a ${JOB_FILE} of SHA-256 ${job}`;
  find({ kind: 'missing', key: folder, expected, found: 'no files', folder });
  return { files: 0, bytes: 0, finders: [leafPlaceKey(folder), ...finderKeys(vouched.leaf)] };
}
