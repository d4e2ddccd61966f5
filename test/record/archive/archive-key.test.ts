import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { archiveKey, findArchiveKey } from '../../../record/archive/archive-key.ts';
import { signerOf } from '../../../record/log/signer.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-key-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const settings = () =>
  ({ name: 'a/b', store: { store: 'files', directory: join(directory, 'archive') } }) as const;

test('a key is created once, beside the archive, readable for its owner only', async () => {
  expect(await findArchiveKey(settings())).toBeUndefined();
  const keys = await Promise.all(Array.from({ length: 5 }, () => archiveKey(settings())));
  expect(new Set(keys.map(({ pem }) => pem)).size).toBe(1);
  const { location, pem } = keys[0]!;
  expect(location).toBe(join(directory, 'archive.key'));
  expect((await stat(location)).mode & 0o777).toBe(0o600);
  expect(signerOf(pem, { origin: 'a/b', location }).keys).toHaveLength(1);
  expect(await findArchiveKey(settings())).toEqual(keys[0]);
});

test('a key may be text or a file', async () => {
  const { pem } = await archiveKey(settings());
  expect(await archiveKey({ ...settings(), key: pem })).toEqual({ pem, location: 'SIGNALBOX_ARCHIVE_KEY' });
  const file = join(directory, 'own.key');
  await writeFile(file, pem);
  expect(await archiveKey({ name: 'a/b', key: file })).toEqual({ pem, location: file });
});

test('a missing key is an error', async () => {
  const bucket = { name: 'a/b', store: { store: 's3', bucket: 'jobs' } } as const;
  await expect(archiveKey(bucket)).rejects.toThrow(
    'expected a private key for the archive store s3, got none',
  );
  await expect(archiveKey({ ...settings(), key: join(directory, 'absent.key') })).rejects.toThrow(
    'there is no such file',
  );
});
