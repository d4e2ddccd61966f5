import pMap from 'p-map';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { decodeEntries } from '../log/entries.ts';
import { LogDamagedError } from '../log/errors.ts';
import {
  BATCHES,
  batchAt,
  CHECKPOINT_KEY,
  CHECKPOINTS,
  checkpointKey,
  DELETIONS,
  LEAVES,
  LOG_PREFIX,
  NEWEST_KEY,
} from '../log/log-keys.ts';
import { leafHash, rootOf } from '../log/tree-hash.ts';
import type { LoggedLeaves } from './logged-leaves.ts';
import { READS_AT_ONCE, type Verification } from './verification.ts';
import type { VerifiedCheckpoint } from './verify-checkpoints.ts';

/** Checks the files of the log that are neither checkpoints nor tiles. */
export async function verifyLogFiles(
  verification: Verification,
  { hashes, tiled }: LoggedLeaves,
  checkpoints: readonly VerifiedCheckpoint[],
): Promise<void> {
  const newest = checkpoints.at(-1);
  if (newest) await verifyCopies(verification, newest, tiled < newest.size);
  const { listing, find } = verification;
  await pMap(listing.under(BATCHES), (key) => verifyBatch(verification, key, { hashes, checkpoints }), {
    concurrency: READS_AT_ONCE,
  });
  const known = [BATCHES, CHECKPOINTS, LEAVES, DELETIONS, `${LOG_PREFIX}tile/`, CHECKPOINT_KEY, NEWEST_KEY];
  for (const key of listing.under(LOG_PREFIX)) {
    if (known.some((each) => key === each || (each.endsWith('/') && key.startsWith(each)))) continue;
    find({ kind: 'unlogged', key, expected: 'only files of the log', found: 'another file' });
  }
}

/** The copies may lag behind an appender that was interrupted, and be ahead of where this verification began. */
async function verifyCopies(
  { store, find }: Verification,
  newest: VerifiedCheckpoint,
  isPending: boolean,
): Promise<void> {
  const number = await textOfFile(store.read(NEWEST_KEY));
  const copy = await textOfFile(store.read(CHECKPOINT_KEY));
  // Read last, so that whatever was copied is among them.
  const known = await checkpointsFrom(store, Math.max(1, isPending ? newest.number - 1 : newest.number));
  const mayBeMissing = isPending && newest.number === 1;
  if (number === undefined ? !mayBeMissing : !known.some((one) => number === `${one.number}\n`)) {
    const expected = `${newest.number}, the number of the newest checkpoint`;
    find({ kind: 'changed', key: NEWEST_KEY, expected, found: JSON.stringify(number) ?? 'no file' });
  }
  if (copy === undefined ? !mayBeMissing : !known.some(({ text }) => text === copy)) {
    const expected = `a copy of ${checkpointKey(newest.number)}`;
    const found = copy === undefined ? 'no file' : 'another text';
    find({ kind: 'changed', key: CHECKPOINT_KEY, expected, found });
  }
}

async function checkpointsFrom(store: ArchiveStore, first: number) {
  const known: { readonly number: number; readonly text: string }[] = [];
  for (let number = first; ; number += 1) {
    const text = await textOfFile(store.read(checkpointKey(number)));
    if (text === undefined) return known;
    known.push({ number, text });
  }
}

const textOfFile = async (reading: Promise<Uint8Array | undefined>): Promise<string | undefined> => {
  const bytes = await reading;
  return bytes && Buffer.from(bytes).toString('latin1');
};

interface Known {
  readonly hashes: readonly Buffer[];
  readonly checkpoints: readonly VerifiedCheckpoint[];
}

/** A batch is named by the root that it leads to. An unused one does no harm, if it matches its name. */
async function verifyBatch(
  { store, find }: Verification,
  key: string,
  { hashes, checkpoints }: Known,
): Promise<void> {
  const batch = batchAt(key);
  const size = batch?.number === 1 ? 0 : checkpoints.find(({ number }) => number + 1 === batch?.number)?.size;
  if (!batch || size === undefined) {
    find({ kind: 'unlogged', key, expected: 'a batch that follows a checkpoint', found: 'another file' });
    return;
  }
  const bytes = await store.read(key);
  if (!bytes) return;
  const leaves = leavesIn(bytes, key);
  if (leaves && rootOf([...hashes.slice(0, size), ...leaves.map(leafHash)]).equals(batch.root)) return;
  find({ kind: 'changed', key, expected: 'leaves that lead to the root in its name', found: 'other leaves' });
}

function leavesIn(bytes: Uint8Array, key: string): Buffer[] | undefined {
  try {
    return decodeEntries(bytes, key);
  } catch (error) {
    if (error instanceof LogDamagedError) return undefined;
    throw error;
  }
}
