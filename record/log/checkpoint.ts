import { formatNote, NoteError, parseNote, type SignedNote } from './signed-note.ts';
import type { LogSigner } from './signer.ts';
import { HASH_BYTES } from './tree-hash.ts';

/** What a log signs: its first `size` leaves have this root (C2SP tlog-checkpoint). */
interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
}

/** Returns the bytes of a checkpoint with a signature of each key of the signer. */
export function signCheckpoint(
  { size, root }: Omit<Checkpoint, 'origin'>,
  { origin, keys }: LogSigner,
): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signatures = keys.map(({ verifier: { name, id }, sign }) => ({
    name,
    id,
    signature: sign(Buffer.from(text)),
  }));
  return formatNote({ text, signatures });
}

/** Reads a checkpoint; its signatures are not checked, see `signersOf`. Throws `NoteError`. */
export function parseCheckpoint(bytes: Uint8Array): SignedCheckpoint {
  const note = parseNote(bytes);
  const [origin = '', size = '', root = '', ...rest] = note.text.split('\n');
  if (origin === '') throw new NoteError('the name of a log in the first line', 'nothing');
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new NoteError('a size in the second line', JSON.stringify(size));
  }
  const hash = Buffer.from(root, 'base64');
  if (hash.length !== HASH_BYTES || hash.toString('base64') !== root) {
    throw new NoteError('a root in base64 in the third line', JSON.stringify(root));
  }
  if (rest.length !== 1 || rest[0] !== '') throw new NoteError('three lines', 'more');
  return { origin, size: Number(size), root: hash, note };
}
