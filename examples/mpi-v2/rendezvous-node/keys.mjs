// The keys in sshAuthMountPath as OpenSSH has them, for Node's crypto: who holds id_rsa is let in by authorized_keys.
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const COORDINATE = 66; // bytes, of P-521

export const createChallenge = () => randomBytes(32).toString('base64');

/** Proof that one holds the private key. */
export function answer(challenge, folder) {
  const key = createPrivateKey(readFileSync(join(folder, 'id_rsa')));
  return sign('sha512', Buffer.from(challenge), key).toString('base64');
}

/** Whether the answer was made with the other half of a key in authorized_keys. */
export function isAnswer(given, challenge, folder) {
  const lines = readFileSync(join(folder, 'authorized_keys'), 'utf8').trim().split('\n');
  return lines.some((line) =>
    verify('sha512', Buffer.from(challenge), parsePublicKey(line), Buffer.from(given, 'base64')),
  );
}

/** A line of authorized_keys: the type, then in base64 the type again, the curve, and a point of it, x before y. */
function parsePublicKey(line) {
  const [type, body] = line.split(' ');
  if (type !== 'ecdsa-sha2-nistp521')
    throw new Error(`expected a key of type ecdsa-sha2-nistp521, got ${type}`);
  const [, , point] = readStrings(Buffer.from(body, 'base64'));
  const [x, y] = [point.subarray(1, 1 + COORDINATE), point.subarray(1 + COORDINATE)];
  const key = { kty: 'EC', crv: 'P-521', x: x.toString('base64url'), y: y.toString('base64url') };
  return createPublicKey({ key, format: 'jwk' });
}

/** Each begins with its length, in four bytes. */
function readStrings(bytes) {
  const strings = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    strings.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return strings;
}
