import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { LogKeyError } from './errors.ts';

/** Ed25519, in the form of C2SP signed-note. */
const ED25519 = 0x01;
/** What X.509 puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** A public key that signs logs. */
export interface VerifierKey {
  /** The origin of the log. */
  readonly name: string;
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** `name+id+base64`, the form that other tools take. */
  readonly text: string;
  readonly publicKey: KeyObject;
  verifies(text: Uint8Array, signature: Uint8Array): boolean;
}

/** Throws `LogKeyError` if a name cannot be a key's: it stands between spaces and plus signs. */
export function checkKeyName(name: string): void {
  if (/^[^\s+\p{Cc}]+$/u.test(name)) return;
  throw new LogKeyError(
    `name of the archive's log: expected text without spaces, plus signs and control characters, got ${JSON.stringify(name)}`,
    { remedy: 'use something like signalbox.example.com/archive/prod (SIGNALBOX_ARCHIVE_NAME)' },
  );
}

/** Returns the verifier key of a public or private key. */
export function verifierKeyOf(name: string, key: KeyObject): VerifierKey {
  checkKeyName(name);
  const { x } = key.export({ format: 'jwk' });
  return verifierKey(name, Buffer.from(x ?? '', 'base64url'));
}

/** Reads `name+id+base64`. Throws `LogKeyError`. */
export function parseVerifierKey(text: string): VerifierKey {
  // Base64 has plus signs too, so only the first two part.
  const [, name, id, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  if (name === undefined || base64 === undefined) {
    throw new LogKeyError(
      `verifier key: expected name+8 hexadecimal digits+base64, got ${JSON.stringify(text)}`,
    );
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== KEY_BYTES + 1 || bytes[0] !== ED25519) {
    throw new LogKeyError(
      `verifier key ${name}: expected an Ed25519 key of 33 bytes, got ${bytes.length} bytes of type ${bytes[0]}`,
    );
  }
  const key = verifierKey(name, bytes.subarray(1));
  if (key.id === id) return key;
  throw new LogKeyError(
    `verifier key ${name}: expected id ${key.id}, which follows from name and key, got ${id}`,
  );
}

/** Whether a text is meant as verifier keys: it begins as one does. */
export const isVerifierKey = (text: string): boolean => /^\s*[^\s+]+\+[0-9a-f]{8}\+/.test(text);

/** Reads verifier keys with white space between them. Throws `LogKeyError`. */
export const parseVerifierKeys = (text: string): VerifierKey[] =>
  text.trim().split(/\s+/).map(parseVerifierKey);

function verifierKey(name: string, raw: Buffer): VerifierKey {
  const typed = Buffer.concat([Buffer.from([ED25519]), raw]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'buffer').toString('hex', 0, 4);
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
  return {
    name,
    id,
    text: `${name}+${id}+${typed.toString('base64')}`,
    publicKey: key,
    verifies: (text, signature) => verify(null, text, key, signature),
  };
}
