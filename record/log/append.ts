import pMap from 'p-map';
import type { ArchiveStore } from '../archive/archive-store.ts';
import type { AnyLeaf } from '../archive/log-leaf.ts';
import { checkSigner } from './check-signer.ts';
import { parseCheckpoint, type SignedCheckpoint, signCheckpoint } from './checkpoint.ts';
import { completeCheckpoint } from './complete.ts';
import { growEdge, readEdge, rootOfEdge } from './edge.ts';
import { encodeEntries } from './entries.ts';
import { LogDamagedError } from './errors.ts';
import { type EncodedLeaf, encodeLeaf } from './leaf-bytes.ts';
import { batchKey, checkpointKey, placeKeyOf } from './log-keys.ts';
import { type NumberedCheckpoint, newestCheckpoint } from './newest.ts';
import { consistencyProof, isContinued } from './proofs.ts';
import { formatNote, signersOf, UnknownSignerError } from './signed-note.ts';
import { SignedTree } from './signed-tree.ts';
import type { LogSigner } from './signer.ts';
import { TreeReader } from './tree-reader.ts';

const READS_AT_ONCE = 16;
/** Each lost round is one that another appender won. */
const MOST_ROUNDS = 1_000;

interface Appended {
  /** Leaves that were new. */
  readonly appended: number;
  /** Leaves that the log had already. */
  readonly known: number;
  /**
   * Leaves that were not appended, because the log has another leaf of this kind for their archive, or others wrote into
   * the store that it has one.
   */
  readonly conflicting: readonly AnyLeaf[];
  /** Number of leaves in the log now. */
  readonly size: number;
  /** Number of the newest checkpoint. */
  readonly checkpoint: number;
  /** The newest checkpoint: to be kept, and given as `signed` the next time. */
  readonly signed?: string;
}

interface AppendOptions {
  /** The last checkpoint that the signer is known to have signed; the log must continue it. */
  readonly signed?: string;
}

/**
 * Appends leaves to the log of a store, and signs a checkpoint of them. Leaves that are there are left out. Many may append
 * at once. If it throws, or its process ends, it is simply called again with the same leaves. Reads the newest checkpoint,
 * the right edge of the tree and one small file for each leaf, whatever the size of the log.
 */
export async function appendToLog(
  store: ArchiveStore,
  signer: LogSigner,
  leaves: readonly AnyLeaf[],
  { signed }: AppendOptions = {},
): Promise<Appended> {
  const given = new Map(leaves.map((leaf) => [placeKeyOf(leaf), encodeLeaf(leaf)]));
  let own = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const newest = await newestCheckpoint(store);
    checkSigner(newest, signer);
    await completeCheckpoint(store, newest);
    if (signed !== undefined) await checkContinuation(store, newest, { signed, signer });
    const { fresh, known, conflicting } = await compare(store, newest, [...given.values()]);
    if (fresh.length === 0) {
      return { appended: own, known: known - own, conflicting, ...stateOfLog(newest) };
    }
    if (await publish(store, signer, { newest, fresh })) own = fresh.length;
  }
  throw new Error(`${store.location}: gave up after ${MOST_ROUNDS} write conflicts; try again`);
}

const stateOfLog = ({ size, number, signed }: NumberedCheckpoint) => ({
  ...{ size, checkpoint: number, signed: signed && formatNote(signed.note) },
});

async function compare(store: ArchiveStore, newest: NumberedCheckpoint, leaves: readonly EncodedLeaf[]) {
  const tree = new SignedTree(store, newest);
  const found = await pMap(leaves, ({ leaf }) => tree.find(leaf), { concurrency: READS_AT_ONCE });
  const ofKind = (kind: (typeof found)[number]) => leaves.filter((_, place) => found[place] === kind);
  return {
    fresh: ofKind('none'),
    known: ofKind('known').length,
    conflicting: ofKind('other').map(({ leaf }) => leaf),
  };
}

interface Publishing {
  readonly newest: NumberedCheckpoint;
  readonly fresh: readonly EncodedLeaf[];
}

/** Returns false if another appender was faster. What is appended counts from the moment in which its checkpoint exists. */
async function publish(
  store: ArchiveStore,
  signer: LogSigner,
  { newest, fresh }: Publishing,
): Promise<boolean> {
  const before = await readEdge(store, newest.size);
  const key = checkpointKey(newest.number + 1);
  if (!rootOfEdge(before).equals(newest.root)) {
    const expected = `the root of checkpoint ${newest.number}, ${newest.root.toString('base64')}`;
    throw new LogDamagedError('log/tile', expected, rootOfEdge(before).toString('base64'));
  }
  const { edge } = growEdge(
    before,
    newest.size,
    fresh.map(({ hash }) => hash),
  );
  const next = { number: newest.number + 1, size: newest.size + fresh.length, root: rootOfEdge(edge) };
  await store.create(batchKey(next), encodeEntries(fresh.map(({ bytes }) => bytes)));
  return store.create(key, Buffer.from(signCheckpoint(next, signer)));
}

/**
 * Throws unless the log continues a checkpoint that its signer signed before: a store that was rolled back must not get
 * a second signature for the same size. Checks the proof, so that the tiles need not be trusted.
 */
async function checkContinuation(
  store: ArchiveStore,
  newest: NumberedCheckpoint,
  { signed, signer }: { readonly signed: string; readonly signer: LogSigner },
): Promise<void> {
  const before = parseCheckpoint(Buffer.from(signed));
  if (!isOf(signer, before)) return;
  const isThere = before.size <= newest.size;
  const tree = new TreeReader(store, newest.size);
  const proof = isThere ? await consistencyProof(tree, { before: before.size, size: newest.size }) : [];
  if (isThere && isContinued({ before, now: newest }, proof)) return;
  const expected = `a log that continues the checkpoint that was signed last, of ${before.size} leaves with the root ${before.root.toString('base64')}`;
  const found = isThere ? 'another log' : `one of ${newest.size} leaves: the store was rolled back`;
  throw new LogDamagedError(checkpointKey(newest.number), expected, found, { remedy: REMEDY });
}

const REMEDY =
  'Restore the store from a backup. A new archive needs another name (SIGNALBOX_ARCHIVE_NAME) or another key.';

/** A log with another name or key may start over. */
function isOf({ origin, keys }: LogSigner, { origin: name, note }: SignedCheckpoint): boolean {
  if (name !== origin) return false;
  try {
    return (
      signersOf(
        note,
        keys.map(({ verifier }) => verifier),
      ).length > 0
    );
  } catch (error) {
    if (error instanceof UnknownSignerError) return false;
    throw error;
  }
}
