import { LogDamagedError, LogKeyError } from './errors.ts';
import { checkpointKey } from './log-keys.ts';
import type { NumberedCheckpoint } from './newest.ts';
import { NoteError, signersOf, UnknownSignerError } from './signed-note.ts';
import type { LogSigner } from './signer.ts';

/** Refuses to continue a log that was signed with another key, or that was changed. */
export function checkSigner({ number, signed }: NumberedCheckpoint, { origin, keys }: LogSigner): void {
  if (!signed) return;
  const key = checkpointKey(number);
  if (signed.origin !== origin)
    throw new LogKeyError(`${key}: this is the log ${signed.origin}, not ${origin}`, REMEDY);
  try {
    signersOf(
      signed.note,
      keys.map(({ verifier }) => verifier),
    );
  } catch (cause) {
    if (cause instanceof UnknownSignerError)
      throw new LogKeyError(`${key}: ${cause.message}`, { ...REMEDY, cause });
    if (cause instanceof NoteError) throw new LogDamagedError(key, cause.expected, cause.found, { cause });
    throw cause;
  }
}

const REMEDY = {
  remedy:
    'use the key and the name that this log began with (SIGNALBOX_ARCHIVE_KEY, SIGNALBOX_ARCHIVE_NAME), or another store; to replace a key, keep the old one behind the new one in the same file for a while',
};
