import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errorMessage } from '../../language/error-message.ts';
import { isVerifierKey, parseVerifierKeys } from '../log/verifier-key.ts';

/** A key that cannot be used to sign or verify attestations. */
class AttestationKeyError extends Error {
  override readonly name = 'AttestationKeyError';
  readonly code = 'AttestationKey';
}

/** Reads a private key in PEM. `path` is for messages. */
export function readSigningKey(pem: string, path: string): KeyObject {
  const expected = 'a private key in PEM, PKCS8 or SEC1, without a passphrase';
  return checked(() => createPrivateKey(pem), { path, expected });
}

/** Reads a public key in PEM, where a private key will do, or verifier keys as the archive has them. */
export function readVerifyingKey(text: string, path: string): readonly KeyObject[] {
  if (isVerifierKey(text)) return parseVerifierKeys(text).map(({ publicKey }) => publicKey);
  const expected = 'a public key in PEM (SPKI) or a verifier key (name+id+base64)';
  return [checked(() => createPublicKey(text), { path, expected })];
}

function checked(read: () => KeyObject, { path, expected }: { path: string; expected: string }): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    const got = errorMessage(cause);
    throw new AttestationKeyError(`${path}: expected ${expected}, got something else (${got})`, { cause });
  }
  const type = key.asymmetricKeyType ?? key.type;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (type === 'ed25519' || (type === 'ec' && curve === 'prime256v1')) return key;
  const got = [type, curve].filter(Boolean).join(' ');
  throw new AttestationKeyError(`${path}: expected a key of Ed25519 or ECDSA P-256, got ${got}`);
}
