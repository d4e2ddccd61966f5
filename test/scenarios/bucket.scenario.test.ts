import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { TcpProxy } from '../long/tcp-proxy.ts';
import { aPrivateKey } from '../record/log/a-log.ts';
import { hasS3Server, S3_CREDENTIALS, S3Server } from '../s3-server.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';

jest.setTimeout(600_000);

const isPossible = await hasS3Server();
if (!isPossible)
  console.warn('Skipped the archive in a bucket: this machine has no Go to build an S3 server.');

const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '1' };
/** The archive's. */
const BUCKET = 'archive';

/** From the worker to the answers of an auditor, nothing but a bucket. */
(isPossible ? describe : describe.skip)('an archive in a bucket', () => {
  let on: ArchiveStage;
  let server: S3Server;
  let proxy: TcpProxy;
  let home: string;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await S3Server.open({ buckets: [BUCKET] });
    proxy = await TcpProxy.open(server.port);
    home = await mkdtemp(join(tmpdir(), 'signalbox-bucket-'));
    on = await openArchiveStage();
    settings = {
      ...on.settings,
      ...S3_CREDENTIALS,
      SIGNALBOX_ARCHIVE_STORE: 's3',
      SIGNALBOX_ARCHIVE_BUCKET: BUCKET,
      SIGNALBOX_ARCHIVE_PREFIX: 'team/a',
      SIGNALBOX_ARCHIVE_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      SIGNALBOX_ARCHIVE_KEY: aPrivateKey(),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
    };
    await on.engine().start(settings);
  });
  afterAll(async () => {
    await on?.close();
    await proxy?.close();
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    signalbox(args, { env: { ...settings, ...env } });
  const submit = (name: string, annotations: Readonly<Record<string, string>> = SUCCEEDS) =>
    on.client.submit(
      simulatedJob({
        ...{ name, namespace: on.stage.namespace },
        master: { annotations, restartPolicy: 'Never' },
        worker: false,
      }),
    );

  /** Verifies until the log has so many leaves; what it finds then counts. */
  const verified = (size: number) =>
    eventually(`${size} leaves are in the log`, async () => {
      const { code, stdout, stderr } = await run(['audit', 'verify', '-o', 'json']);
      if (!stdout.startsWith('{')) throw new Error(`exit code ${code}: ${stderr}`);
      const found = JSON.parse(stdout) as {
        newest?: { size: number };
        findings: unknown[];
        archives: number;
      };
      if (found.newest?.size !== size || found.findings.length > 0) throw new Error(stdout);
      return found;
    });

  async function submitAndWait(...names: readonly string[]): Promise<void> {
    const jobs = await Promise.all(names.map((name) => submit(name)));
    await Promise.all(jobs.map((job) => job.wait()));
  }

  it('a bucket has every job that ended, and no file that the log does not cover', async () => {
    const failed = await submit('failed', FAILS);
    await submitAndWait('one', 'two');
    await failed.wait();
    expect(await verified(3)).toMatchObject({ archives: 3 });
  });

  it('a bucket answers commands without any other server', async () => {
    const away = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const listed = await run(['list', '--archived', '-o', 'name'], away);
    expect(listed.stdout.trim().split('\n').sort()).toEqual(
      ['failed', 'one', 'two'].map((name) => `job/${on.stage.namespace}/${name}`),
    );
    const [archived, live] = await Promise.all([
      run(['history', 'one', '--archived', '-o', 'jsonl'], away),
      run(['history', 'one', '-o', 'jsonl']),
    ]);
    expect(archived).toMatchObject({ code: 0, stdout: live.stdout });
    const failures = ['audit', 'failures', '-o', 'json'];
    const expected = [expect.objectContaining({ name: 'failed', exit_code: 1 })];
    for (const args of [failures, [...failures, '--archived']]) {
      const { stdout, stderr } = await run(args, away);
      expect(JSON.parse(stdout)).toEqual(expected);
      expect(stderr.includes('showing archived jobs only')).toBe(!args.includes('--archived'));
    }
    expect(await run(['audit', 'verify', '--job', 'one', '-n', on.stage.namespace], away)).toMatchObject({
      code: 0,
    });
  });

  it('a bucket is read with read-only permissions', async () => {
    await server.stop();
    await server.start({ readOnly: true });
    const nowhere = { XDG_STATE_HOME: '/dev/null/state', XDG_CACHE_HOME: '/dev/null/cache' };
    expect((await run(['list', '--archived', '-o', 'name'], nowhere)).stdout.trim().split('\n')).toHaveLength(
      3,
    );
    expect(await run(['history', 'two', '--archived'], nowhere)).toMatchObject({ code: 0 });
    const asked = await run(['audit', 'jobs', '--archived', '-o', 'json'], nowhere);
    expect(JSON.parse(asked.stdout)).toHaveLength(3);
    expect(await run(['audit', 'verify'], nowhere)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no findings'),
      stderr: expect.stringContaining('is not remembered'),
    });
    const storeOf = async (...more: readonly string[]) =>
      (
        JSON.parse((await run(['doctor', '-o', 'json', ...more])).stdout) as { part: string; check: string }[]
      ).find(({ part, check }) => part === 'archive' && check === 'store');
    expect(await storeOf()).toMatchObject({ state: 'ok', message: expect.stringContaining('can be read') });
    expect(await storeOf('--for', 'worker')).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('can be read and not written'),
    });
  });

  it('a bucket that refuses writes delays no job, is reported with the cause, and gets the job later', async () => {
    await submitAndWait('refused');
    const said = await eventually('the archiver says what is wrong', async () => {
      const { code, stdout } = await run(['archive', 'status']);
      if (code !== 9) throw new Error(stdout);
      return stdout;
    });
    expect(said).toMatch(
      /problem +s3:\/\/archive\/team\/a does not allow this account to do that: Access Denied/,
    );
    await server.stop();
    await server.start();
    await verified(4);
    await eventually('nothing is wrong any more', async () => {
      const { code, stdout } = await run(['archive', 'status']);
      if (code !== 0) throw new Error(stdout);
      return true;
    });
  });

  it('a bucket that does not answer for a while loses and duplicates nothing', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `slow-${index}`);
    const jobs = await Promise.all(names.map((name) => submit(name)));
    proxy.partition();
    await Promise.all(jobs.map((job) => job.wait()));
    await eventually('the archiver waits for the bucket', async () => {
      const { stdout } = await run(['archive', 'status']);
      if (!/waiting +[1-5],/.test(stdout)) throw new Error(stdout);
      return true;
    });
    proxy.heal();
    expect(await verified(9)).toMatchObject({ archives: 9 });
  });

  it('a bucket loses deleted jobs, and does not get them back from Temporal', async () => {
    const args = [
      'archive',
      'delete',
      'one',
      '-n',
      on.stage.namespace,
      '--why',
      'asked by its owner',
      '--yes',
    ];
    expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('deleted: 1 archive') });
    expect(await run(['archive', 'one', '-n', on.stage.namespace, '--wait'])).toMatchObject({
      stdout: expect.stringContaining('its archive was deleted on purpose'),
    });
    expect(await verified(10)).toMatchObject({
      archives: 8,
      deleted: [expect.objectContaining({ why: 'asked by its owner' })],
    });
  });
});
