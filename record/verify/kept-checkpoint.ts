import { errorMessage } from '../../language/error-message.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { signersOf } from '../log/signed-note.ts';
import type { VerifierKey } from '../log/verifier-key.ts';
import type { KeptCheckpoint } from './verify-roots.ts';

/** Reads a checkpoint that was kept outside of the store. Throws an error that names `location` if no key signed it. */
export function keptCheckpoint(
  bytes: Uint8Array,
  { location, keys }: { readonly location: string; readonly keys: readonly VerifierKey[] },
): KeptCheckpoint {
  try {
    const { note, size, root } = parseCheckpoint(bytes);
    signersOf(note, keys);
    return { size, root, location };
  } catch (cause) {
    throw new KeptCheckpointError(`${location}: ${errorMessage(cause)}`, { cause });
  }
}

/** A checkpoint that the log is to be compared with is none, or is not of this log. */
export class KeptCheckpointError extends Error {
  override readonly name = 'KeptCheckpointError';
  readonly code = 'KeptCheckpoint';
  readonly remedy =
    'Give a copy of `log/checkpoint` of this archive, as it was at an earlier time, and the key that signed it.';
}
