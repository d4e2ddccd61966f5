import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ArchiveAwayError,
  ArchiveDamagedError,
  ArchiveVersionError,
  JobNotFoundError,
  RefusedError,
} from '../../../../client/errors/errors.ts';
import type { ArchiveReader } from '../../../../client/handles/archive-reader.ts';
import { openArchive } from '../../../../client/handles/open-archive.ts';
import { writeArchive } from '../../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../../record/archive/file-archive-store.ts';
import type { LogLeaf } from '../../../../record/archive/log-leaf.ts';
import { updateIndex } from '../../../../record/index/archive-index.ts';
import { appendToLog } from '../../../../record/log/append.ts';
import { allOf } from '../../../record/archive/all-of.ts';
import { SOME_ENTRIES, someContents, someRecord } from '../../../record/archive/some-job.ts';
import { aSigner } from '../../../record/log/a-log.ts';

const signer = aSigner();
const publicKey = signer.keys.map(({ verifier }) => verifier.text).join(' ');

let directory: string;
let archive: ArchiveReader;
let leaves: readonly LogLeaf[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-open-archive-'));
  const store = new FileArchiveStore(directory);
  const early = { closed: '2026-11-20T10:05:01.000Z' };
  leaves = [
    await writeArchive(store, await someContents()),
    await writeArchive(store, await someContents({ name: 'early', ...early })),
    await writeArchive(store, await someContents({ namespace: 'vision', workflowId: 'nightly', ...early })),
  ];
  await appendToLog(store, signer, leaves);
  await updateIndex(store);
  archive = await openArchive(directory);
});
afterEach(async () => {
  archive.close();
  await rm(directory, { recursive: true, force: true });
});

const TRAIN = { namespace: 'ml', name: 'train' };
const ids = async (filter?: Parameters<ArchiveReader['list']>[0]) =>
  (await allOf(archive.list(filter))).map(({ workflowId }) => workflowId);

describe('an archive that a program opens', () => {
  it('lists jobs as a client does, those that ended last first', async () => {
    expect(await ids()).toEqual(['job/ml/train', 'job/ml/early', 'nightly']);
    const [first] = await allOf(archive.list({ limit: 1 }));
    expect(first).toEqual({
      ...{ workflowId: 'job/ml/train', runId: '5f0c', kind: 'PyTorchJob', ...TRAIN, phase: 'Stopped' },
      ...{ attempt: 1, startTime: '2026-11-23T10:00:00.000Z', endTime: '2026-11-23T10:05:01.000Z' },
      submittedBy: 'ana',
    });
  });

  it.each([
    [{ namespace: 'vision' }, ['nightly']],
    [{ phase: ['failed', 'stopped'], name: 'early' } as const, ['job/ml/early']],
    [{ phase: 'completed' } as const, []],
    [{ endedSince: '2026-11-21T00:00:00Z' }, ['job/ml/train']],
    [{ endedBefore: new Date('2026-11-21') }, ['job/ml/early', 'nightly']],
    [{ since: '2026-11-24T00:00:00Z' }, []],
  ])('lists those that match %j', async (filter, expected) => expect(await ids(filter)).toEqual(expected));

  it('refuses a filter with an invalid value', async () => {
    await expect(ids({ phase: 'ended' as never })).rejects.toThrow(RefusedError);
    await expect(ids({ endedSince: 'yesterday' })).rejects.toThrow('filter.endedSince: expected a Date');
  });

  it('returns all that the handle of the job returned', async () => {
    const job = await archive.find(TRAIN);
    expect(await job.history()).toEqual(SOME_ENTRIES);
    expect(await job.history({ from: 2 })).toEqual(SOME_ENTRIES.slice(1));
    expect(await job.history({ limit: 1 })).toEqual(SOME_ENTRIES.slice(0, 1));
    expect(job.status()).toMatchObject({ name: 'train', phase: 'Stopped' });
    expect(job.outcome()).toMatchObject({ phase: 'Stopped', reason: 'StopRequested' });
    expect(job.manifest()).toEqual({ kind: 'PyTorchJob', metadata: { name: 'train', namespace: 'ml' } });
    expect(await job.evidence()).toEqual([someRecord()]);
    expect(await job.pods()).toEqual([]);
    expect(await job.histories()).toMatchObject([{ events: [{ eventId: '1' }] }]);
    expect(job.ref).toBe(`file://${directory}/${leaves[0]!.folder}`);
  });

  it('finds a job by its workflow id and by a run', async () => {
    expect((await archive.find({ workflowId: 'nightly' })).summary().namespace).toBe('vision');
    const first = await archive.find({ workflowId: 'job/ml/train', runId: '5f0c' });
    expect(first.firstRunId).toBe('5f0c');
    await expect(archive.find({ workflowId: 'job/ml/train', runId: 'other' })).rejects.toThrow(
      JobNotFoundError,
    );
  });

  it('says where it found no job', async () => {
    await expect(archive.find({ name: 'nobody' })).rejects.toThrow(
      `There is no job job/default/nobody in the archive ${directory}.`,
    );
  });
});

describe('the verification of an archive', () => {
  it('finds no change in an unchanged one, and returns a checkpoint for the next time', async () => {
    const verified = await archive.verify({ publicKey });
    expect(verified).toMatchObject({ isIntact: true, archives: 3, findings: [] });
    const again = await archive.verify({ publicKey, checkpoint: verified.checkpoint! });
    expect(again.isIntact).toBe(true);
    const job = await archive.find(TRAIN);
    expect(await job.verify({ publicKey })).toMatchObject({ isIntact: true, findings: [] });
  });

  it('finds a changed file, also where the digests of job.json fit', async () => {
    const path = join(directory, leaves[0]!.folder, 'job.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"given":"ana"', '"given":"bob"'));
    const job = await archive.find(TRAIN);
    expect(job.summary().submittedBy).toBe('bob');
    const { isIntact, findings } = await job.verify({ publicKey });
    expect({ isIntact, kinds: findings.map(({ kind }) => kind) }).toEqual({
      isIntact: false,
      kinds: ['changed'],
    });
    expect((await archive.verify({ publicKey })).isIntact).toBe(false);
  });

  it('refuses another key', async () => {
    const other = aSigner().keys[0]!.verifier.text;
    const { findings } = await (await archive.find(TRAIN)).verify({ publicKey: other });
    expect(findings).toMatchObject([{ kind: 'signature' }]);
    await expect(archive.verify({ publicKey: 'no key' })).rejects.toThrow(RefusedError);
    await expect(archive.verify({ publicKey, checkpoint: 'none' })).rejects.toThrow('checkpoint: ');
  });
});

describe('an unreadable archive', () => {
  it('is a missing one, or a place without one', async () => {
    await expect(openArchive(join(directory, 'nowhere'))).rejects.toThrow(ArchiveAwayError);
    await expect(openArchive('gs://bucket/prefix')).rejects.toThrow(
      'archive: expected a directory or s3://bucket/prefix, got "gs://bucket/prefix".',
    );
    await expect(openArchive('')).rejects.toThrow(RefusedError);
  });

  it('is one with a truncated file', async () => {
    await truncate(join(directory, leaves[0]!.folder, 'ledger.jsonl.gz'), 20);
    const reading = (await archive.find(TRAIN)).history();
    await expect(reading).rejects.toThrow(ArchiveDamagedError);
    await expect(reading).rejects.toThrow(/train-5f0c\/ledger\.jsonl\.gz: expected \d+ bytes, got 20/);
  });

  it('is one of a later version, which a list can leave out', async () => {
    const path = join(directory, leaves[0]!.folder, 'job.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('archive/v1', 'archive/v2'));
    await expect(archive.find(TRAIN)).rejects.toThrow(ArchiveVersionError);
    await expect(ids()).rejects.toThrow(ArchiveVersionError);
    const unreadable: unknown[] = [];
    const onUnreadable = (error: unknown) => unreadable.push(error);
    expect(await allOf(archive.list({}, { onUnreadable }))).toHaveLength(2);
    expect(unreadable).toMatchObject([{ code: 'ArchiveVersion', remedy: expect.stringContaining('later') }]);
  });
});
