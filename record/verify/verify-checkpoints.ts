import pMap from 'p-map';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { CHECKPOINTS, checkpointKey, checkpointNumber } from '../log/log-keys.ts';
import { NoteError, signersOf, UnknownSignerError } from '../log/signed-note.ts';
import { READS_AT_ONCE, type Verification } from './verification.ts';

/** A checkpoint that one of the given keys signed. */
export interface VerifiedCheckpoint {
  readonly number: number;
  readonly size: number;
  readonly root: Buffer;
  readonly bytes: Uint8Array;
}

/** Reads all checkpoints of the log, in order, and returns those whose signatures hold. */
export async function verifyCheckpoints(verification: Verification): Promise<VerifiedCheckpoint[]> {
  const { listing, find } = verification;
  const numbers: number[] = [];
  for (const key of listing.under(CHECKPOINTS)) {
    const number = checkpointNumber(key);
    if (number === undefined) find({ kind: 'unlogged', key, expected: 'a number', found: 'another name' });
    else numbers.push(number);
  }
  numbers.sort((one, other) => one - other);
  findGaps(verification, numbers);
  const read = await pMap(numbers, (number) => verifyOne(verification, number), {
    concurrency: READS_AT_ONCE,
  });
  findUnsigned(verification, read.filter((result) => result?.unsigned !== undefined) as Unsigned[]);
  const verified = read.flatMap((result) => (result && !result.unsigned ? [result] : []));
  findDisorder(verification, verified);
  return verified;
}

type Unsigned = VerifiedCheckpoint & { readonly unsigned: string };

function findGaps({ find }: Verification, numbers: readonly number[]): void {
  let next = 1;
  for (const number of numbers) {
    for (; next < number; next += 1) {
      find({ kind: 'missing', key: checkpointKey(next), expected: 'a checkpoint', found: 'no file' });
    }
    next = number + 1;
  }
}

async function verifyOne(
  { store, keys, find }: Verification,
  number: number,
): Promise<(VerifiedCheckpoint & { readonly unsigned?: string }) | undefined> {
  const key = checkpointKey(number);
  const bytes = await store.read(key);
  if (!bytes) {
    find({ kind: 'missing', key, expected: 'a checkpoint', found: 'no file' });
    return undefined;
  }
  try {
    const { note, origin, size, root } = parseCheckpoint(bytes);
    if (!keys.some(({ name }) => name === origin))
      return { number, size, root, bytes, unsigned: `the log ${origin}` };
    signersOf(note, keys);
    return { number, size, root, bytes };
  } catch (error) {
    if (error instanceof UnknownSignerError) {
      const { size, root } = parseCheckpoint(bytes);
      return { number, size, root, bytes, unsigned: error.found };
    }
    if (!(error instanceof NoteError)) throw error;
    find({ kind: 'signature', key, expected: error.expected, found: error.found });
    return undefined;
  }
}

/** One finding for each unbroken range: a key that was replaced may have signed thousands. */
function findUnsigned({ find, keys }: Verification, unsigned: readonly Unsigned[]): void {
  const expected = `a signature of ${keys.map(({ name, id }) => `${name}+${id}`).join(' or ')}`;
  let first: Unsigned | undefined;
  for (const [place, each] of unsigned.entries()) {
    first ??= each;
    const following = unsigned[place + 1];
    if (following && following.number === each.number + 1 && following.unsigned === each.unsigned) continue;
    const range = first.number === each.number ? '' : `, and all up to ${checkpointKey(each.number)}`;
    find({
      kind: 'signature',
      key: `${checkpointKey(first.number)}${range}`,
      expected,
      found: each.unsigned,
    });
    first = undefined;
  }
}

function findDisorder({ find }: Verification, checkpoints: readonly VerifiedCheckpoint[]): void {
  for (const [place, { number, size }] of checkpoints.entries()) {
    const before = checkpoints[place - 1];
    if (!before || before.size < size) continue;
    const expected = `more leaves than the ${before.size} of checkpoint ${before.number}`;
    find({ kind: 'contradiction', key: checkpointKey(number), expected, found: `${size}` });
  }
}
