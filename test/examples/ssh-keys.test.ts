import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newSshKey } from '../../activities/objects/ssh-key.ts';

const MODULE = new URL('../../examples/mpi-v2/rendezvous-node/keys.mjs', import.meta.url).href;
const { answer, isAnswer } = (await import(MODULE)) as {
  answer(challenge: string, folder: string): string;
  isAnswer(given: string, challenge: string, folder: string): boolean;
};

const folders: string[] = [];

/** As the Secret of a job is mounted. */
function keyFolder({ privateKey, publicKey }: ReturnType<typeof newSshKey>): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-keys-'));
  folders.push(folder);
  writeFileSync(join(folder, 'id_rsa'), privateKey);
  writeFileSync(join(folder, 'authorized_keys'), publicKey);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the SSH keys of an MPIJob, as the example checks them,', () => {
  const key = newSshKey();
  const own = keyFolder(key);

  it('are a pair', () => {
    expect(isAnswer(answer('who are you', own), 'who are you', own)).toBe(true);
  });

  it('are refused, where the public key is of another pair', () => {
    const mixed = keyFolder({ ...key, publicKey: newSshKey().publicKey });
    expect(isAnswer(answer('who are you', mixed), 'who are you', mixed)).toBe(false);
  });

  it('prove nothing with an answer to another challenge', () => {
    expect(isAnswer(answer('who are you', own), 'who am I', own)).toBe(false);
  });
});
