import type { VerifierKey } from './verifier-key.ts';

/** A text with signatures (C2SP signed-note). */
export interface SignedNote {
  /** With the line feed at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** Id of the key, eight hexadecimal digits. */
  readonly id: string;
  readonly signature: Buffer;
}

/** What is in a note or beside it is not what was expected. */
class UnexpectedError extends Error {
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

/** A note is not in its form, or its signatures do not hold. */
export class NoteError extends UnexpectedError {
  override readonly name = 'NoteError';
}

const MOST_SIGNATURES = 64;
const ID_BYTES = 4;

export function formatNote({ text, signatures }: SignedNote): string {
  const lines = signatures.map(({ name, id, signature }) => {
    const bytes = Buffer.concat([Buffer.from(id, 'hex'), signature]);
    return `\u2014 ${name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Throws `NoteError` unless the bytes are what `formatNote` writes: no second form of a note is accepted. */
export function parseNote(bytes: Uint8Array): SignedNote {
  const whole = utf8(bytes);
  const end = whole.lastIndexOf('\n\n');
  if (end < 1) throw new NoteError('a text, an empty line and signatures', 'no empty line');
  const lines = whole.slice(end + 2).split('\n');
  if (lines.pop() !== '') throw new NoteError('a line feed at the end', 'none');
  if (lines.length === 0 || lines.length > MOST_SIGNATURES) {
    throw new NoteError(`1 to ${MOST_SIGNATURES} signatures`, String(lines.length));
  }
  return { text: whole.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/** Returns those of the keys that signed the note. Throws `NoteError` if none did, or if a signature of one is wrong. */
export function signersOf(note: SignedNote, keys: readonly VerifierKey[]): VerifierKey[] {
  const text = Buffer.from(note.text);
  const signers = keys.filter((key) => {
    const own = note.signatures.filter(({ name, id }) => name === key.name && id === key.id);
    if (own.every(({ signature }) => key.verifies(text, signature))) return own.length > 0;
    throw new NoteError(`a valid signature of the key ${key.name}+${key.id}`, 'one that is not of this text');
  });
  if (signers.length > 0) return signers;
  throw new UnknownSignerError(
    `a signature of ${namesOf(keys)}`,
    `only those of ${namesOf(note.signatures)}`,
  );
}

/** No given key signed the note: it may be of an older key. */
export class UnknownSignerError extends UnexpectedError {
  override readonly name = 'UnknownSignerError';
}

const namesOf = (keys: readonly { readonly name: string; readonly id: string }[]): string =>
  keys.map(({ name, id }) => `${name}+${id}`).join(' and ');

function parseSignature(line: string): NoteSignature {
  const [, name, base64] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  // A decoder ignores the last bits of base64: only one text per signature is accepted.
  if (name === undefined || bytes.toString('base64') !== base64 || bytes.length <= ID_BYTES) {
    throw new NoteError('a signature "\u2014 name base64"', JSON.stringify(line.slice(0, 80)));
  }
  return { name, id: bytes.toString('hex', 0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

function utf8(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the form forbids them
    if (!/[\u0000-\u0009\u000b-\u001f]/.test(text)) return text;
  } catch {
    throw new NoteError('UTF-8', 'other bytes');
  }
  throw new NoteError('no control characters but line feeds', 'some');
}
