import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import type { Account } from '../../cli/doctor/account.ts';
import { archiveFindings } from '../../cli/doctor/archive-checks.ts';
import type { Finding } from '../../cli/doctor/finding.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { aPrivateKey, aSigner, someLeaves } from '../record/log/a-log.ts';

test('signalbox doctor warns of an installation without an archive', async () => {
  expect(await findingsFor('worker', { SIGNALBOX_ARCHIVE_STORE: 'none' })).toMatchObject([
    {
      state: 'warning',
      message: expect.stringContaining('forgotten'),
      remedy: expect.stringContaining('docs/archive.md'),
    },
  ]);
});

describe('a bucket that cannot be asked', () => {
  const env = {
    ...{ SIGNALBOX_ARCHIVE_STORE: 's3', SIGNALBOX_ARCHIVE_BUCKET: 'archive' },
    // Nobody listens there.
    ...{ SIGNALBOX_ARCHIVE_ENDPOINT: 'http://127.0.0.1:1', AWS_REGION: 'us-east-1' },
  };
  const remedy = expect.stringContaining('SIGNALBOX_ARCHIVE_BUCKET');

  it('is a fault for a worker, whose jobs would leave no record', async () => {
    expect((await findingsFor('worker', env))[0]).toMatchObject({ state: 'fault', check: 'store', remedy });
  });

  it('is a warning for who only reads', async () => {
    expect((await findingsFor('user', env))[0]).toMatchObject({ state: 'warning', check: 'store', remedy });
  });
});

async function findingsFor(account: Account, env: Readonly<Record<string, string>>): Promise<Finding[]> {
  const settings = resolveSettings({ flags: {}, env, sandbox: () => undefined });
  const findings: Finding[] = [];
  for await (const finding of archiveFindings(settings, account)) findings.push(finding);
  return findings;
}

describe('a key and an archive', () => {
  let folder: string;
  const pems = [aPrivateKey(), aPrivateKey()];
  const signers = pems.map((pem) => aSigner(pem));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-doctor-'));
    await appendToLog(new FileArchiveStore(join(folder, 'archive')), signers[0]!, someLeaves(3));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const keyFinding = async (key: Readonly<Record<string, string>>) => {
    const env = {
      ...{ SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: join(folder, 'archive') },
      SIGNALBOX_ARCHIVE_NAME: signers[0]!.origin,
    };
    return (await findingsFor('user', { ...env, ...key })).find(({ check }) => check === 'key');
  };
  const publicKeys = (...chosen: number[]) => ({
    SIGNALBOX_ARCHIVE_PUBLIC_KEY: chosen.map((one) => signers[one]!.keys[0]!.verifier.text).join(' '),
  });

  it('are well if the key has signed it, also beside another one', async () => {
    expect(await keyFinding({})).toMatchObject({ state: 'ok' });
    expect(await keyFinding(publicKeys(0))).toMatchObject({ state: 'ok' });
    expect(await keyFinding(publicKeys(1, 0))).toMatchObject({ state: 'ok' });
    expect(await keyFinding({ SIGNALBOX_ARCHIVE_KEY: pems[0]! })).toMatchObject({ state: 'ok' });
  });

  it('are a fault if the public key is of another archive', async () => {
    expect(await keyFinding(publicKeys(1))).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('SIGNALBOX_ARCHIVE_PUBLIC_KEY is not of this archive'),
      remedy: expect.stringContaining('`signalbox audit key`'),
    });
  });

  it('are a fault if the private key is of another archive', async () => {
    expect(await keyFinding({ SIGNALBOX_ARCHIVE_KEY: pems[1]! })).toMatchObject({
      state: 'fault',
      remedy: expect.stringContaining('SIGNALBOX_ARCHIVE_KEY'),
    });
  });

  it('are a warning for who reads the archive of another log', async () => {
    expect(await keyFinding({ SIGNALBOX_ARCHIVE_NAME: 'other/ml' })).toMatchObject({
      state: 'warning',
      message: expect.stringContaining(`belongs to the log ${signers[0]!.origin}, not other/ml`),
      remedy: expect.stringContaining('SIGNALBOX_ARCHIVE_NAME'),
    });
    expect(await keyFinding({ SIGNALBOX_ARCHIVE_NAME: 'other/ml', ...publicKeys(0) })).toMatchObject({
      state: 'ok',
    });
  });

  it('are well as long as nothing is archived', async () => {
    await rm(join(folder, 'archive'), { recursive: true });
    await mkdir(join(folder, 'archive'));
    expect(await keyFinding(publicKeys(1))).toMatchObject({ state: 'ok' });
  });
});
