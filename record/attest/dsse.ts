import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** A signed payload: https://github.com/secure-systems-lab/dsse/blob/v1.0.0/envelope.md */
export interface Envelope {
  /** Base64. */
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly EnvelopeSignature[];
}

interface EnvelopeSignature {
  /** Base64. */
  readonly sig: string;
  readonly keyid?: string;
}

export const IN_TOTO = 'application/vnd.in-toto+json';

/** Signs a statement's text with a key of `readSigningKey`. */
export function signEnvelope(text: string, key: KeyObject): Envelope {
  const payload = Buffer.from(text);
  const sig = sign(hashOfKey(key), preAuthEncoding(IN_TOTO, payload), key).toString('base64');
  const keyid = keyIdOf(createPublicKey(key));
  return { payload: payload.toString('base64'), payloadType: IN_TOTO, signatures: [{ sig, keyid }] };
}

/** Returns the payload if one of the signatures is by this key; undefined otherwise. */
export function openEnvelope(
  { payload, payloadType, signatures }: Envelope,
  key: KeyObject,
): Buffer | undefined {
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthEncoding(payloadType, bytes);
  const isGood = ({ sig }: EnvelopeSignature) =>
    verify(hashOfKey(key), signed, key, Buffer.from(sig, 'base64'));
  return signatures.some(isGood) ? bytes : undefined;
}

/** SHA-256 of the public key (SPKI, DER), in hex. */
const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

const preAuthEncoding = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);

/** Ed25519 hashes by itself. */
const hashOfKey = ({ asymmetricKeyType }: KeyObject): string | null =>
  asymmetricKeyType === 'ed25519' ? null : 'sha256';
