import { errorMessage } from '../../language/error-message.ts';
import { isFields } from '../../language/fields.ts';
import type { Envelope } from './dsse.ts';

/** A plain DSSE envelope, or a Sigstore bundle around one. */
export type AttestationFormat = (typeof ATTESTATION_FORMATS)[number];
const ATTESTATION_FORMATS = ['dsse', 'bundle'] as const;

/** A file that is no attestation. */
class AttestationFormatError extends Error {
  override readonly name = 'AttestationFormatError';
  readonly code = 'AttestationFormat';
}

/** Returns the text of an attestation's file: one line of JSON. */
export function attestationText(envelope: Envelope, format: AttestationFormat): string {
  return `${JSON.stringify(format === 'dsse' ? envelope : bundleOf(envelope))}\n`;
}

/** Verifiers refuse a bundle whose signature names its key: the hint does. */
const bundleOf = ({ payload, payloadType, signatures }: Envelope) => ({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: { publicKey: { hint: signatures[0]?.keyid ?? '' }, tlogEntries: [] },
  dsseEnvelope: { payload, payloadType, signatures: signatures.map(({ sig }) => ({ sig })) },
});

/** Returns the envelope in a file of either format. `path` is for messages. */
export function envelopeIn(text: string, path: string): Envelope {
  const value = jsonIn(text, path);
  const envelope = isFields(value) && isFields(value.dsseEnvelope) ? value.dsseEnvelope : value;
  if (isEnvelope(envelope)) return envelope;
  const expected = 'a DSSE envelope (payload, payloadType, signatures) or a Sigstore bundle with one';
  throw new AttestationFormatError(`${path}: expected ${expected}, got other JSON`);
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AttestationFormatError(`${path}: expected JSON, got ${errorMessage(cause)}`, { cause });
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (!isFields(value) || typeof value.payload !== 'string' || typeof value.payloadType !== 'string')
    return false;
  const { signatures } = value;
  return Array.isArray(signatures) && signatures.every((one) => isFields(one) && typeof one.sig === 'string');
}
