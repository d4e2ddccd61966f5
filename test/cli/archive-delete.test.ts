import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { updateIndex } from '../../record/index/archive-index.ts';
import { appendToLog } from '../../record/log/append.ts';
import { signerOf } from '../../record/log/signer.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aPrivateKey } from '../record/log/a-log.ts';
import { commandLine } from './in-process.ts';

const NAME = 'signalbox.example/archive/deletions';
const pem = aPrivateKey();
let home: string;
let store: FileArchiveStore;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-deletions-'));
  store = new FileArchiveStore(join(home, 'archive'));
  for (const [name, day] of [
    ['old', '2025-01-10'],
    ['older', '2024-12-31'],
    ['train', '2026-11-23'],
    ['other', '2026-11-23'],
  ] as const) {
    const leaf = await writeArchive(store, await someContents({ name, closed: `${day}T10:05:01.000Z` }));
    await appendToLog(store, signerOf(pem, { origin: NAME, location: 'a test' }), [leaf]);
  }
  await updateIndex(store);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const run = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = { SIGNALBOX_ARCHIVE_KEY: pem },
) =>
  commandLine(args, {
    env: {
      SIGNALBOX_ARCHIVE_NAME: NAME,
      SIGNALBOX_ARCHIVE_DIR: store.location,
      XDG_STATE_HOME: join(home, 'state'),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...env,
    },
  });

const remove = (...args: readonly string[]) => run(['archive', 'delete', ...args]);
const namesInArchive = async () =>
  (await run(['list', '--archived', '-n', 'ml', '-o', 'name'])).stdout.trim().split('\n').sort();

it('prints what it would delete, and deletes nothing without --yes', async () => {
  const { code, stdout, stderr } = await remove('ml/train', '--why', 'asked');
  expect(stdout).toBe('jobs/namespace=ml/day=2026-11-23/train-5f0c\nto delete: 1 archive\n');
  expect(stderr).toContain('--yes deletes');
  expect(code).toBe(0);
  expect(await namesInArchive()).toHaveLength(4);
});

it('deletes a job, and `audit verify` shows who did it and why', async () => {
  expect(await remove('ml/train', '--why', 'asked by\nits owner', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('deleted: 1 archive'),
  });
  expect(await run(['history', 'ml/train', '--archived'])).toMatchObject({ code: 3 });
  const { code, stdout } = await run(['audit', 'verify']);
  expect(stdout).toMatch(
    /^deleted +jobs\/namespace=ml\/day=2026-11-23\/train-5f0c: job\/ml\/train, leaf 2 of the log, by \S+@\S+ at 20.*: asked by its owner$/m,
  );
  expect(stdout).toContain('3 archives');
  expect(stdout).toContain('no findings');
  expect(code).toBe(0);
  const asked = await run(['audit', 'jobs', '--archived', '-o', 'csv', '--no-headers']);
  expect(asked.stdout).not.toContain('train');
});

it('deletes all jobs that ended before a day', async () => {
  expect(
    await remove('--before', '2025-01-01', '-n', 'ml', '--why', 'kept long enough', '--yes'),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/older-5f0c\ndeleted: 1 archive\n$/),
  });
  expect(await remove('--before', '365d', '-A', '--why', 'kept long enough', '--yes')).toMatchObject({
    stdout: expect.stringMatching(/old-5f0c\ndeleted: 1 archive\n$/),
  });
  expect(await namesInArchive()).toEqual(['job/ml/other']);
  const { code, stdout } = await run(['audit', 'verify', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ archives: 1, findings: [], deleted: [{}, {}, {}] });
  expect(code).toBe(0);
});

it.each([
  { args: ['ml/other', '--yes'], code: 2, says: '--why' },
  { args: ['ml/other', '--why', ' ', '--yes'], code: 2, says: '--why: expected a reason' },
  { args: ['--why', 'x', '--yes'], code: 2, says: 'Pass either NAME... or --before' },
  { args: ['ml/nobody', '--why', 'x', '--yes'], code: 3, says: 'has no archive of ml/nobody' },
  { args: ['jobs/x', '--why', 'x', '--yes'], code: 2, says: 'expected an archive in the log, found none' },
])('refuses $args', async ({ args, code, says }) => {
  expect(await remove(...args)).toMatchObject({ code, stderr: expect.stringContaining(says) });
});

it('refuses to delete without the key that signs the log', async () => {
  const args = ['archive', 'delete', 'ml/other', '--why', 'x', '--yes'];
  expect(await run(args, {})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected the private key of the archive, found none'),
  });
  expect((await run(args, { SIGNALBOX_ARCHIVE_KEY: aPrivateKey() })).code).toBe(2);
  expect(await namesInArchive()).toEqual(['job/ml/other']);
});
