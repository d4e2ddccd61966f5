import pMap from 'p-map';
import { decodeEntries } from '../log/entries.ts';
import { LogDamagedError } from '../log/errors.ts';
import {
  BATCHES,
  batchAt,
  CHECKPOINT_KEY,
  CHECKPOINTS,
  checkpointKey,
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
  const known = [BATCHES, CHECKPOINTS, LEAVES, `${LOG_PREFIX}tile/`, CHECKPOINT_KEY, NEWEST_KEY];
  for (const key of listing.under(LOG_PREFIX)) {
    if (known.some((each) => key === each || (each.endsWith('/') && key.startsWith(each)))) continue;
    find({ kind: 'unvouched', key, expected: 'only files of the log', found: 'another file' });
  }
}

/** The copies may lag behind an appender that was interrupted, and be ahead of where this verification began. */
async function verifyCopies(
  { store, find }: Verification,
  newest: VerifiedCheckpoint,
  isPending: boolean,
): Promise<void> {
  const text = await textOf(store.read(NEWEST_KEY));
  const number = Number(text);
  const lowest = isPending ? newest.number - 1 : newest.number;
  const isNumber = text === `${number}\n` && Number.isSafeInteger(number);
  const copied = isNumber && number >= lowest ? await store.read(checkpointKey(number)) : undefined;
  if (!copied && !(isPending && newest.number === 1 && text === undefined)) {
    const expected = `${newest.number}, the number of the newest checkpoint`;
    find({ kind: 'changed', key: NEWEST_KEY, expected, found: JSON.stringify(text) ?? 'no file' });
  }
  const copy = await store.read(CHECKPOINT_KEY);
  const allowed = [
    newest.bytes,
    copied,
    isPending ? await store.read(checkpointKey(newest.number - 1)) : undefined,
  ];
  if (copy ? allowed.some((bytes) => bytes && Buffer.from(bytes).equals(copy)) : isPending) return;
  const found = copy ? 'another text' : 'no file';
  find({
    kind: 'changed',
    key: CHECKPOINT_KEY,
    expected: `a copy of ${checkpointKey(newest.number)}`,
    found,
  });
}

const textOf = async (reading: Promise<Uint8Array | undefined>): Promise<string | undefined> => {
  const bytes = await reading;
  return bytes && Buffer.from(bytes).toString('latin1');
};

interface Known {
  readonly hashes: readonly Buffer[];
  readonly checkpoints: readonly VerifiedCheckpoint[];
}

/** A batch is named by the root that it leads to. One that nobody took up does no harm, if it is what it says. */
async function verifyBatch(
  { store, find }: Verification,
  key: string,
  { hashes, checkpoints }: Known,
): Promise<void> {
  const batch = batchAt(key);
  const size = batch?.number === 1 ? 0 : checkpoints.find(({ number }) => number + 1 === batch?.number)?.size;
  if (!batch || size === undefined) {
    find({ kind: 'unvouched', key, expected: 'a batch that follows a checkpoint', found: 'another file' });
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
