import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errorMessage } from '../../language/error-message.ts';
import { keyKindIn, refusePrivateKey } from '../log/key-kind.ts';
import { isVerifierKey, parseVerifierKeys } from '../log/verifier-key.ts';

/** A key that cannot be used to sign or verify attestations. */
class AttestationKeyError extends Error {
  override readonly name = 'AttestationKeyError';
  readonly code = 'AttestationKey';
}

/** Reads a private key in PEM. `path` is for messages. */
export function readSigningKey(pem: string, path: string): KeyObject {
  const expected = 'a private key in PEM, PKCS8 or SEC1, without a passphrase';
  return checked(() => createPrivateKey(pem), { path, expected, given: pem });
}

/** Reads a public key in PEM, or verifier keys as the archive has them; refuses a private key, whose owner can sign anything. */
export function readVerifyingKey(text: string, path: string): readonly KeyObject[] {
  if (isVerifierKey(text)) return parseVerifierKeys(text).map(({ publicKey }) => publicKey);
  refusePrivateKey(text, path);
  const expected = 'a public key in PEM (SPKI) or a verifier key (name+id+base64)';
  return [checked(() => createPublicKey(text), { path, expected, given: text })];
}

interface KeyText {
  readonly path: string;
  readonly expected: string;
  readonly given: string;
}

function checked(read: () => KeyObject, { path, expected, given }: KeyText): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    const got = keyKindIn(given) ?? 'something else';
    throw new AttestationKeyError(`${path}: expected ${expected}, got ${got} (${errorMessage(cause)})`, {
      cause,
    });
  }
  const type = key.asymmetricKeyType ?? key.type;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (type === 'ed25519' || (type === 'ec' && curve === 'prime256v1')) return key;
  const got = [type, curve].filter(Boolean).join(' ');
  throw new AttestationKeyError(`${path}: expected a key of Ed25519 or ECDSA P-256, got ${got}`);
}
