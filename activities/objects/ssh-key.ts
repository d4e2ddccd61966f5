import { generateKeyPairSync } from 'node:crypto';

interface SshKey {
  /** PEM, `EC PRIVATE KEY`, which OpenSSH reads. */
  readonly privateKey: string;
  /** A line of authorized_keys. */
  readonly publicKey: string;
}

/** Generates a key pair on the curve P-521, as mpi-operator does. */
export function newSshKey(): SshKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKey, publicKey: `${ALGORITHM} ${wireFormat(publicKey).toString('base64')}\n` };
}

const CURVE = 'nistp521';
const ALGORITHM = `ecdsa-sha2-${CURVE}`;
/** An uncompressed point: a prefix byte and two coordinates of 521 bits. */
const POINT_LENGTH = 1 + 2 * 66;

/** RFC 5656, section 3.1: algorithm, curve and point, each after its length. A DER key ends with the point. */
function wireFormat(der: Buffer): Buffer {
  const point = der.subarray(-POINT_LENGTH);
  return Buffer.concat([Buffer.from(ALGORITHM), Buffer.from(CURVE), point].flatMap(withLength));
}

function withLength(part: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return [length, part];
}
