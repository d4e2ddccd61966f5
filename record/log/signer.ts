import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { LogKeyError } from './errors.ts';
import { keyKindIn } from './key-kind.ts';
import { checkKeyName, type VerifierKey, verifierKeyOf } from './verifier-key.ts';

/** Who signs a log's checkpoints. */
export interface LogSigner {
  /** The name of the log, which is also the name of its keys. */
  readonly origin: string;
  /** Each signs every checkpoint: several while a key is replaced. */
  readonly keys: readonly SigningKey[];
}

export interface SigningKey {
  readonly verifier: VerifierKey;
  readonly sign: (text: Uint8Array) => Buffer;
}

const PEM_BLOCK = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g;

/**
 * Returns the signer with all private keys of a PEM text (Ed25519, PKCS 8). `origin`: the name of the log. `location`: where
 * the text is from, for errors. Throws `LogKeyError`.
 */
export function signerOf(
  pem: string,
  { origin, location }: { readonly origin: string; readonly location: string },
): LogSigner {
  checkKeyName(origin);
  const blocks = pem.match(PEM_BLOCK) ?? [];
  if (blocks.length === 0)
    throw new LogKeyError(
      `${location}: expected an Ed25519 private key in PEM, found ${keyKindIn(pem) ?? 'none'}`,
    );
  return { origin, keys: blocks.map((block) => signingKey(origin, privateKey(block, location))) };
}

const signingKey = (name: string, key: KeyObject): SigningKey => ({
  verifier: verifierKeyOf(name, key),
  sign: (text) => sign(null, text, key),
});

function privateKey(pem: string, location: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Without the cause, which could put a part of the private key into a log.
    throw new LogKeyError(
      `${location}: expected an Ed25519 private key in PEM (PKCS 8), found one that cannot be read`,
    );
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new LogKeyError(
    `${location}: expected an Ed25519 private key, found one of type ${key.asymmetricKeyType}`,
  );
}
