import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { verifierAdvice } from '../../cli/archive/verifier-advice.ts';
import { rememberCheckpoint } from '../../cli/audit/remembered-checkpoints.ts';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { aSigner, ORIGIN, someLeaves } from '../record/log/a-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-advice-'));
  jest.replaceProperty(process, 'env', { ...process.env, XDG_STATE_HOME: join(folder, 'state') });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const settings = (more: Partial<ArchiveSettings> = {}): ArchiveSettings => ({
  ...{ store: { store: 'files', directory: join(folder, 'archive') }, name: ORIGIN },
  ...more,
});

describe('the advice of `archive status` on verification', () => {
  it('says where to keep the key, while only that of the archive is set', async () => {
    expect(await verifierAdvice(settings())).toMatch(
      /^SIGNALBOX_ARCHIVE_PUBLIC_KEY is not set here: keep what `signalbox audit key` prints outside/,
    );
  });

  it('says to verify the archive once, and then nothing', async () => {
    const signer = aSigner();
    const { verifier } = signer.keys[0]!;
    const withKey = settings({ publicKey: verifier.text });
    expect(await verifierAdvice(withKey)).toMatch(/never verified the archive: signalbox audit verify$/);

    const store = new FileArchiveStore(join(folder, 'archive'));
    await appendToLog(store, signer, someLeaves(1));
    await rememberCheckpoint(await readFile(join(folder, 'archive/log/checkpoint')), [verifier]);
    expect(await verifierAdvice(withKey)).toBeUndefined();
  });

  it('says what is wrong with the key', async () => {
    expect(await verifierAdvice(settings({ publicKey: 'wrong' }))).toMatch(
      /^verifier key: expected .* got "wrong"/,
    );
  });

  it('is empty without an archive', async () => {
    expect(await verifierAdvice(settings({ store: undefined }))).toBeUndefined();
  });
});
