import type { ArchiveStore } from '../archive/archive-store.ts';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { LogDamagedError } from './errors.ts';
import { checkpointKey } from './log-keys.ts';
import type { NumberedCheckpoint } from './newest.ts';
import { consistencyProof, isContinued } from './proofs.ts';
import { signersOf, UnknownSignerError } from './signed-note.ts';
import type { LogSigner } from './signer.ts';
import { TreeReader } from './tree-reader.ts';

/**
 * Throws unless the log continues a checkpoint that its signer signed before: a store that was rolled back must not get
 * a second signature for the same size. Checks the proof, so that the tiles need not be trusted.
 */
export async function checkContinuation(
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
