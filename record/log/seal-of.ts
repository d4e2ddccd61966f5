import type { ArchiveSeal } from '../archive/archive-seal.ts';
import { formatNote, NoteError, parseNote, signersOf, UnknownSignerError } from './signed-note.ts';
import type { LogSigner } from './signer.ts';

/** Signs with the keys of a log. A signature is a line of a signed note. */
export function sealOf({ keys }: LogSigner): ArchiveSeal {
  const verifiers = keys.map(({ verifier }) => verifier);
  return {
    sign: (text) => {
      const signatures = keys.map(({ verifier: { name, id }, sign }) => ({
        ...{ name, id, signature: sign(Buffer.from(text)) },
      }));
      const note = formatNote({ text, signatures });
      return note.slice(text.length + 1, -1).split('\n');
    },
    hasSigned: (text, lines) => {
      try {
        return signersOf(parseNote(Buffer.from(`${text}\n${lines.join('\n')}\n`)), verifiers).length > 0;
      } catch (error) {
        if (error instanceof NoteError || error instanceof UnknownSignerError) return false;
        throw error;
      }
    },
  };
}
