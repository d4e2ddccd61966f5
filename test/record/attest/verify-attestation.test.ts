import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { canonicalJson } from '../../../language/canonical-json.ts';
import { attestationText, envelopeIn } from '../../../record/attest/attestation-file.ts';
import { type Envelope, signEnvelope } from '../../../record/attest/dsse.ts';
import { readSigningKey, readVerifyingKey } from '../../../record/attest/keys.ts';
import { provenanceOf } from '../../../record/attest/statement.ts';
import { verifyAttestation } from '../../../record/attest/verify-attestation.ts';
import { A_JOB, KEY_PAIRS } from './a-job.ts';

const { statement, ledger } = provenanceOf(A_JOB, { version: '0.1.0' });
const TEXT = canonicalJson(statement);
const LEDGER = { 'ledger.jsonl': Buffer.from(ledger) };

/** Another implementation says so, too. */
function sigstoreAccepts(bundle: unknown, publicKey: (typeof KEY_PAIRS)['Ed25519']['publicKey']): boolean {
  const trusted = {
    ...{ certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] },
    publicKey: () => ({ publicKey, validFor: () => true }),
  };
  const none = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
  try {
    new Verifier(trusted, none).verify(toSignedEntity(bundleFromJSON(bundle)));
    return true;
  } catch {
    return false;
  }
}

const withPayload = (envelope: Envelope, change: (payload: Buffer) => void): Envelope => {
  const payload = Buffer.from(envelope.payload, 'base64');
  change(payload);
  return { ...envelope, payload: payload.toString('base64') };
};

const other = generateKeyPairSync('ed25519').publicKey;

describe.each(Object.entries(KEY_PAIRS))(
  'an attestation signed by %s',
  (_type, { privateKey, publicKey }) => {
    const envelope = signEnvelope(TEXT, privateKey);

    test.each(['dsse', 'bundle'] as const)('is verified from a file of format %s', (format) => {
      const read = envelopeIn(attestationText(envelope, format), 'train.json');
      expect(verifyAttestation({ envelope: read, key: publicKey, files: LEDGER })).toEqual(
        JSON.parse(JSON.stringify(statement)),
      );
    });

    test('is verified by sigstore’s own library as a bundle, and refused if it or the key differs', () => {
      const bundle = JSON.parse(attestationText(envelope, 'bundle'));
      expect(sigstoreAccepts(bundle, publicKey)).toBe(true);
      expect(sigstoreAccepts(bundle, other)).toBe(false);
      const changed = withPayload(bundle.dsseEnvelope, (payload) => payload.write('X', 20));
      expect(sigstoreAccepts({ ...bundle, dsseEnvelope: changed }, publicKey)).toBe(false);
    });

    test('is refused with any changed byte, or by another key', () => {
      for (let at = 0; at < TEXT.length; at += 97) {
        const changed = withPayload(envelope, (payload) => payload.writeUInt8(payload[at]! ^ 1, at));
        expect(() => verifyAttestation({ envelope: changed, key: publicKey, files: {} })).toThrow(
          'no signature',
        );
      }
      const renamed = { ...envelope, payloadType: 'application/json' };
      expect(() => verifyAttestation({ envelope: renamed, key: publicKey, files: {} })).toThrow(
        'no signature',
      );
      expect(() => verifyAttestation({ envelope, key: other, files: {} })).toThrow('by this key');
    });

    test('is refused for another ledger', () => {
      const files = { 'other.jsonl': Buffer.from(`${ledger}{}\n`) };
      expect(() => verifyAttestation({ envelope, key: publicKey, files })).toThrow(
        /^other\.jsonl: expected the SHA-256 of a subject, ledger\.jsonl \([0-9a-f]{64}\), tokens .*; got [0-9a-f]{64}$/,
      );
    });

    test('has keys in PEM', () => {
      const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const spki = String(publicKey.export({ type: 'spki', format: 'pem' }));
      const signed = signEnvelope(TEXT, readSigningKey(pem, 'key.pem'));
      expect(
        verifyAttestation({ envelope: signed, key: readVerifyingKey(spki, 'key.pub'), files: {} }),
      ).toBeTruthy();
    });
  },
);

test('a signed statement of another type is refused', () => {
  const { privateKey, publicKey } = KEY_PAIRS.Ed25519;
  const envelope = signEnvelope('{"predicate":{"buildDefinition":{"buildType":"other"}}}', privateKey);
  expect(() => verifyAttestation({ envelope, key: publicKey, files: {} })).toThrow(
    'expected a statement of build type',
  );
});

const pemOf = (type: 'rsa' | 'secp384r1') =>
  type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: type }).privateKey;

test.each([
  ['rsa', 'got rsa'],
  ['secp384r1', 'got ec secp384r1'],
] as const)('a key of type %s is refused by its type', (type, got) => {
  const pem = String(pemOf(type).export({ type: 'pkcs8', format: 'pem' }));
  expect(() => readSigningKey(pem, 'key.pem')).toThrow(
    `key.pem: expected a key of Ed25519 or ECDSA P-256, ${got}`,
  );
});

test('a private key is refused where its public key is expected, without its text', () => {
  const pem = String(KEY_PAIRS.Ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const read = () => readVerifyingKey(pem, 'attest.key');
  expect(read).toThrow('attest.key: expected a public key, got a private key, which is not shown here');
  expect(read).not.toThrow(pem.split('\n')[1]);
});

test('an invalid key, and an invalid attestation, are refused with their names', () => {
  expect(() => readSigningKey('hello', 'key.pem')).toThrow('key.pem: expected a private key in PEM');
  const locked = KEY_PAIRS.Ed25519.privateKey.export({
    ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  } as never);
  expect(() => readSigningKey(String(locked), 'key.pem')).toThrow('without a passphrase');
  expect(() => envelopeIn('{', 'train.json')).toThrow('train.json: expected JSON');
  expect(() => envelopeIn('{"payload": 1}', 'train.json')).toThrow('train.json: expected a DSSE envelope');
});
