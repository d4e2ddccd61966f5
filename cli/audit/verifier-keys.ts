import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { findArchiveKey } from '../../record/archive/archive-key.ts';
import { LogKeyError } from '../../record/log/errors.ts';
import { refusePrivateKey } from '../../record/log/key-kind.ts';
import { signerOf } from '../../record/log/signer.ts';
import {
  isVerifierKey,
  parseVerifierKeys,
  type VerifierKey,
  verifierKeyOf,
} from '../../record/log/verifier-key.ts';
import { UsageError } from '../shell/errors.ts';

/** The keys that verify a log, and where they are from. */
export interface KeyChoice {
  readonly keys: readonly VerifierKey[];
  readonly location: string;
}

/**
 * Returns the keys that verify the archive: those that were given, else those of the settings, else those of the private key
 * that is here. `given`: verifier keys, or a file with some, or with public keys in PEM.
 */
export async function verifierKeys(archive: ArchiveSettings, given?: string): Promise<KeyChoice> {
  if (given !== undefined) return { keys: await keysIn(given, archive.name), location: '--public-key' };
  if (archive.publicKey) {
    return { keys: parseVerifierKeys(archive.publicKey), location: 'SIGNALBOX_ARCHIVE_PUBLIC_KEY' };
  }
  const key = await findArchiveKey(archive);
  if (!key) throw new UsageError('no key to verify the archive with', { remedy: REMEDY });
  const { keys } = signerOf(key.pem, { origin: archive.name, location: key.location });
  return { keys: keys.map(({ verifier }) => verifier), location: key.location };
}

const REMEDY =
  'Give --public-key, or set SIGNALBOX_ARCHIVE_PUBLIC_KEY. `signalbox audit key` prints the key where the private one is.';

async function keysIn(given: string, name: string): Promise<VerifierKey[]> {
  refusePrivateKey(given, '--public-key');
  if (isVerifierKey(given)) return parseVerifierKeys(given);
  const text = await readFile(given, 'utf8').catch((cause: Error) => {
    throw new UsageError(
      `--public-key: expected a verifier key or a file with one, got ${given}: ${cause.message}`,
      {
        cause,
      },
    );
  });
  refusePrivateKey(text, `--public-key ${given}`);
  const pems = text.match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g);
  return pems ? pems.map((pem) => keyOfPem(pem, { location: given, name })) : parseVerifierKeys(text);
}

function keyOfPem(
  pem: string,
  { location, name }: { readonly location: string; readonly name: string },
): VerifierKey {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType === 'ed25519') return verifierKeyOf(name, key);
  throw new LogKeyError(
    `${location}: expected an Ed25519 public key, found one of type ${key.asymmetricKeyType}`,
  );
}
