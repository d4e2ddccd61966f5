import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { updateIndex } from '../../record/index/archive-index.ts';
import { appendToLog } from '../../record/log/append.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aSigner, ORIGIN } from '../record/log/a-log.ts';
import { signalbox } from './process.ts';

/** Another user's archive: the superuser of this machine may write everywhere, so that commands run as nobody. */
const NOBODY = 65_534;
const uid = process.getuid?.() === 0 ? NOBODY : undefined;
const AWAY = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
const signer = aSigner();
let folder: string;
let directory: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-read-only-'));
  directory = join(folder, 'archive');
  const store = new FileArchiveStore(directory);
  for (const name of ['train', 'other'])
    await appendToLog(store, signer, [await writeArchive(store, await someContents({ name }))]);
  await updateIndex(store);
  await writeFile(join(folder, 'file'), '');
  if (uid !== undefined) execFileSync('chown', ['-R', String(uid), folder]);
  execFileSync('chmod', ['-R', 'a-w', folder]);
});
afterAll(async () => {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  signalbox(args, {
    uid,
    env: {
      SIGNALBOX_ARCHIVE_DIR: directory,
      SIGNALBOX_ARCHIVE_NAME: ORIGIN,
      SIGNALBOX_ARCHIVE_PUBLIC_KEY: signer.keys.map(({ verifier }) => verifier.text).join(' '),
      ...{ HOME: folder, XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
      ...{ ...AWAY, ...env },
    },
  });

const content = () => execFileSync('find', [folder, '-printf', '%p %s %T@\n'], { encoding: 'utf8' });

describe('an archive in a read-only directory', () => {
  it.each([
    { args: ['list', '--archived', '-n', 'ml', '-o', 'name'], says: 'job/ml/train' },
    { args: ['history', 'ml/train', '--archived', '-o', 'jsonl'], says: '"seq":1' },
    { args: ['audit', 'jobs', '--archived', '-o', 'csv'], says: 'train' },
    { args: ['audit', 'verify'], says: 'no findings' },
    { args: ['audit', 'prove', 'ml/train'], says: 'c2sp.org/tlog-proof@v1' },
  ])('answers $args, and stays unchanged', async ({ args, says }) => {
    const before = content();
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining(says) });
    expect(content()).toBe(before);
  });

  it('is readable according to `doctor`, and insufficient for a worker', async () => {
    const storeOf = async (account: string) => {
      const { stdout } = await run(['doctor', '--for', account, '-o', 'json']);
      return (JSON.parse(stdout) as { part: string; check: string }[]).find(
        ({ part, check }) => part === 'archive' && check === 'store',
      );
    };
    expect(await storeOf('user')).toMatchObject({
      state: 'ok',
      message: `${directory}, can be read and not written, as readers need it`,
    });
    expect(await storeOf('worker')).toMatchObject({
      state: 'fault',
      message: expect.stringMatching(/can be read and not written: EACCES/),
    });
  });

  it('is an error with path and cause for a command that writes', async () => {
    const { code, stderr } = await run(['audit', 'index', '--again']);
    expect(stderr).toContain(`The archive in ${directory} cannot be used: EACCES: permission denied`);
    expect(code).toBe(12);
  });
});

describe('a missing archive', () => {
  it.each([
    { args: ['list', '--archived'], place: 'nowhere', found: 'nothing' },
    { args: ['history', 'train', '--archived'], place: 'nowhere', found: 'nothing' },
    { args: ['audit', 'jobs', '--archived'], place: 'nowhere', found: 'nothing' },
    { args: ['audit', 'verify'], place: 'nowhere', found: 'nothing' },
    { args: ['audit', 'verify'], place: 'file', found: 'a file' },
  ])('is an error with the same text in $args', async ({ args, place, found }) => {
    const path = join(folder, place);
    expect(await run(args, { SIGNALBOX_ARCHIVE_DIR: path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${path}: expected the directory of an archive, found ${found}\n`),
    });
  });
});

it('a Temporal server that does not answer does not delay answers from the archive', async () => {
  const { createServer } = await import('node:net');
  // It takes connections and says nothing.
  const silent = createServer().listen(0, '127.0.0.1');
  const sockets = new Set<{ destroy(): void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as { port: number };
  const asking = { TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
  const alone = await run(['audit', 'jobs', '--archived', '-o', 'json']);
  // Both at once: `list` has nothing but the server, and waits for it as long as commands do.
  const ended: string[] = [];
  const [both, list] = await Promise.all(
    [['audit', 'jobs', '-o', 'json'], ['list']].map(async (args) => {
      const answer = await run(args, asking);
      ended.push(args[0]!);
      return answer;
    }),
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
  expect(both).toMatchObject({
    code: 0,
    stdout: alone.stdout,
    stderr: expect.stringContaining('showing archived jobs only'),
  });
  expect(list).toMatchObject({ code: 12 });
  expect(ended).toEqual(['audit', 'list']);
});
