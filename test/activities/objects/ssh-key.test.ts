import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { newSshKey } from '../../../activities/objects/ssh-key.ts';

const { privateKey, publicKey } = newSshKey();
const [algorithm, encoded] = publicKey.trim().split(' ') as [string, string];

it('each SSH key differs from the last one', () => {
  expect(newSshKey()).not.toEqual({ privateKey, publicKey });
});

it('an SSH key has the format of mpi-operator', () => {
  expect(privateKey).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(algorithm).toBe('ecdsa-sha2-nistp521');
  expect(publicKey).toMatch(/^\S+ \S+\n$/);
});

it('the public part of an SSH key belongs to the private one', () => {
  const [name, curve, point] = partsOf(Buffer.from(encoded, 'base64'));
  expect([String(name), String(curve)]).toEqual(['ecdsa-sha2-nistp521', 'nistp521']);
  const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const coordinates = [x, y].map((text) => Buffer.from(text!, 'base64url'));
  expect(point).toEqual(Buffer.concat([Buffer.of(4), ...coordinates]));
});

const hasOpenSsh = spawnSync('ssh-keygen', ['-?']).error === undefined;

(hasOpenSsh ? it : it.skip)('is one that OpenSSH reads, and takes for a pair', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ssh-'));
  try {
    const file = join(folder, 'id_rsa');
    writeFileSync(file, privateKey, { mode: 0o600 });
    expect(execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim()).toBe(
      publicKey.trim(),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** RFC 4251: each part after its length. */
function partsOf(wire: Buffer): Buffer[] {
  if (wire.length === 0) return [];
  const end = 4 + wire.readUInt32BE();
  return [wire.subarray(4, end), ...partsOf(wire.subarray(end))];
}
