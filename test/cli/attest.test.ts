import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attestedFromServer } from '../../cli/attest/attested-job.ts';
import { WorkerAwayError } from '../../client/errors/errors.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { sha256Of } from '../record/attest/a-job.ts';
import { type AttestedFiles, attestedFiles } from '../record/attest/attested-files.ts';
import { commandLine } from './in-process.ts';

let directory: string;
let files: AttestedFiles;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-attest-'));
  files = await attestedFiles(directory);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const ARCHIVED = ['train', '-n', 'ml', '--archived'];
const KEY = 'Ed25519';

async function made(name: string, ...more: readonly string[]): Promise<readonly string[]> {
  const paths = [
    '--key',
    files.path(`${KEY}.key`),
    '--out',
    files.path(name),
    '--ledger',
    files.path(`${name}l`),
  ];
  const done = await files.attest(...ARCHIVED, ...paths, ...more);
  expect(done).toEqual({ code: 0, stdout: '', stderr: '' });
  return [files.path(name), '--public-key', files.path(`${KEY}.pub`), '--ledger', files.path(`${name}l`)];
}

const ended = (error: Error) =>
  ({
    summary: async () => ({
      workflowId: 'job/ml/a',
      namespace: 'ml',
      name: 'a',
      endTime: '2026-11-21T15:00:00Z',
    }),
    firstRunId: async () => 'run',
    manifest: async () => ({}),
    pods: async () => [],
    history: async () => {
      throw error;
    },
  }) as unknown as JobHandle;

test('an ended job that no worker answers for can be read from the archive', async () => {
  await expect(
    attestedFromServer(ended(new WorkerAwayError('job/ml/a')), 'temporal://t'),
  ).rejects.toMatchObject({
    code: 'WorkerAway',
    remedy: expect.stringContaining('with --archived'),
  });
  const other = new Error('other');
  await expect(attestedFromServer(ended(other), 'temporal://t')).rejects.toBe(other);
});

describe('signalbox attest', () => {
  test.each(['dsse', 'bundle'])('attests a job from its archive, and verifies it: %s', async (format) => {
    const asked = await made(`${format}.json`, '--format', format);
    const { code, stdout } = await files.attest('verify', ...asked);
    expect(code).toBe(0);
    expect(stdout).toContain('verified: the attestation is signed by this key, and is about');
    expect(stdout).toMatch(/outcome {3}Completed\nsubject {3}ledger\.jsonl {2}sha256:[0-9a-f]{64}\n/);
    expect(stdout).toMatch(/from {6}image registry\.example\/train:v1 {2}sha256:a{64}\n/);
  });

  test('verifies with the key that `audit key` prints', async () => {
    const [path] = await made('archive-key.json');
    const { stdout } = await commandLine(['audit', 'key', files.path(`${KEY}.key`)]);
    await writeFile(files.path('archive.pub'), stdout);
    for (const key of [files.path('archive.pub'), stdout.trim()]) {
      const { code, stdout: verified } = await files.attest('verify', path!, '--public-key', key);
      expect([code, verified]).toEqual([0, expect.stringContaining('is signed by this key')]);
    }
    const ofAnother = await commandLine(['audit', 'key', '--new', files.path('another.key')]);
    const refused = await files.attest('verify', path!, '--public-key', ofAnother.stdout.trim());
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is by this key') });
    const both = `${ofAnother.stdout}${stdout}`;
    expect((await files.attest('verify', path!, '--public-key', both)).code).toBe(0);
  });

  test('makes the file of a declared output a subject', async () => {
    const model = files.path('model.bin');
    await writeFile(model, 'weights');
    const asked = await made('with-model.json', '--file', `model=${model}`);
    const { stdout } = await files.attest('verify', ...asked, '--file', model, '-o', 'json');
    expect(JSON.parse(stdout).subject).toContainEqual({
      name: 'model',
      digest: { sha256: sha256Of('weights') },
    });
    await writeFile(model, 'other weights');
    const refused = await files.attest('verify', ...asked, '--file', model);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expected the SHA-256 of a subject'),
    });
  });

  test('prints the statement unsigned without a key', async () => {
    const { code, stdout, stderr } = await files.attest(...ARCHIVED);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ predicateType: 'https://slsa.dev/provenance/v1' });
    expect(stderr).toBe('This statement is not signed: give a private key with --key.\n');
  });

  test('refuses what was changed: a byte, the ledger, the key', async () => {
    const [path, ...asked] = await made('changed.json');
    const envelope = JSON.parse(await readFile(path!, 'utf8'));
    const payload = Buffer.from(envelope.payload, 'base64').fill('x', 99, 100).toString('base64');
    await writeFile(files.path('bad.json'), JSON.stringify({ ...envelope, payload }));
    const bad = await files.attest('verify', files.path('bad.json'), ...asked);
    expect(bad).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no signature of the attestation'),
    });
    const otherKey = await files.attest('verify', path!, '--public-key', files.path('ECDSA P-256.pub'));
    expect(otherKey).toMatchObject({ code: 1, stderr: expect.stringContaining('is by this key') });
    await writeFile(files.path('changed.jsonl'), '{}\n');
    const otherLedger = await files.attest('verify', path!, ...asked);
    expect(otherLedger).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('changed.jsonl: expected'),
    });
  });

  test.each([
    [['--key', '/nowhere/a.key'], 2, '/nowhere/a.key: expected a file that can be read'],
    [['--file', 'model'], 2, '--file: expected OUTPUT=FILE'],
    [['--file', 'logs=/etc/hostname'], 2, 'one of the declared outputs model, tokens'],
    [['--file', 'tokens=/etc/hostname'], 2, `expected sha256:${'b'.repeat(64)}, as the manifest declares`],
  ])('refuses %j by name', async (args, code, message) => {
    const { stderr, ...ended } = await files.attest(...ARCHIVED, ...args);
    expect({ code: ended.code, stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
  });
});
