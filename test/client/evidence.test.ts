import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EvidenceAwayError, NoEvidenceError } from '../../client/errors/errors.ts';
import { type EvidenceChoice, readEvidence } from '../../client/use-cases/pods/evidence.ts';
import type { EvidenceRecord, EvidenceSummary, JobStatus } from '../../contracts/types.ts';
import { FileStore } from '../../evidence/file-store.ts';
import { recordKeyOf } from '../../evidence/record-key.ts';
import { S3Store } from '../../evidence/s3-store.ts';

const JOB = { namespace: 'ml', name: 'train', anchorUid: 'anchor-1' };

let directory: string;
let store: FileStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-evidence-'));
  store = new FileStore(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const aSummary = (index: number, attempt = 1): EvidenceSummary => ({
  ...{ pod: `train-worker-${index}`, uid: uidOf(index, attempt) },
  ...{ role: 'worker', index, attempt, exitCode: 1, takenAt: '2026-11-21T10:00:00Z' },
});

const uidOf = (index: number, attempt: number) =>
  `00000000-0000-4000-8000-${String(attempt * 1_000 + index).padStart(12, '0')}`;

/** Writes the record of a failed pod, and gives what history says of it. */
async function stored(index: number, attempt = 1): Promise<EvidenceSummary> {
  const summary = aSummary(index, attempt);
  const record: EvidenceRecord = {
    ...{ version: 1, anchorUid: JOB.anchorUid, failedAt: summary.takenAt },
    ...{ summary: summary as EvidenceRecord['summary'], job: { kind: 'PyTorchJob', ...JOB } },
    ...{ pod: { phase: 'Failed', conditions: [] }, containers: [], events: [] },
  };
  return { ...summary, ref: await store.write(recordKeyOf(JOB, summary), JSON.stringify(record)) };
}

const aStatus = (evidence: readonly EvidenceSummary[]): JobStatus => ({
  ...{ kind: 'PyTorchJob', name: 'train', namespace: 'ml', phase: 'Failed', state: 'Failed', attempt: 2 },
  ...{ restarts: 1, conditions: [], replicaStatuses: {}, warnings: [], timeline: [], evidence },
});

async function read(
  evidence: readonly EvidenceSummary[],
  choice: EvidenceChoice = {},
  from = store as FileStore | S3Store,
) {
  const records: EvidenceRecord[] = [];
  for await (const record of readEvidence(from, aStatus(evidence), choice)) records.push(record);
  return records;
}

const podsOf = (records: readonly EvidenceRecord[]) =>
  records.map(({ summary }) => `${summary.pod} ${summary.attempt}`);

describe('evidence of a job', () => {
  test('is of the pods in its status, in that order, with their places', async () => {
    const evidence = [await stored(1), await stored(0)];
    const records = await read(evidence);
    expect(podsOf(records)).toEqual(['train-worker-1 1', 'train-worker-0 1']);
    expect(records.map(({ summary }) => summary.ref)).toEqual(evidence.map(({ ref }) => ref));
  });

  test('is of one pod, or of one attempt', async () => {
    const evidence = [await stored(1, 2), await stored(1), await stored(0)];
    expect(podsOf(await read(evidence, { pod: 'train-worker-1' }))).toEqual([
      'train-worker-1 2',
      'train-worker-1 1',
    ]);
    expect(podsOf(await read(evidence, { attempt: 1 }))).toEqual(['train-worker-1 1', 'train-worker-0 1']);
  });

  test('is also of pods that its status does not have, on request', async () => {
    const evidence = [await stored(0, 2)];
    for (const index of [3, 12]) await stored(index);
    expect(podsOf(await read(evidence, { pod: 'train-worker-12' }))).toEqual(['train-worker-12 1']);
    expect(podsOf(await read(evidence, { attempt: 1 }))).toEqual(['train-worker-3 1', 'train-worker-12 1']);
  });

  test('is what history says, where the store was unavailable, or the record has expired', async () => {
    const expired = { ...aSummary(1), ref: store.refOf(recordKeyOf(JOB, aSummary(1))) };
    const records = await read([
      await stored(0),
      expired,
      { ...aSummary(2), incomplete: 'store: disk full' },
    ]);
    expect(records.map(({ incomplete }) => incomplete)).toEqual([
      undefined,
      ['store: disk full'],
      [`record: no longer at ${expired.ref}`],
    ]);
  });
});

test('evidence is read from its original directory, if that exists and the client has another one', async () => {
  const evidence = [await stored(1, 2)];
  await stored(0);
  const elsewhere = new FileStore(join(directory, 'elsewhere'));
  expect(podsOf(await read(evidence, {}, elsewhere))).toEqual(['train-worker-1 2']);
  expect(podsOf(await read(evidence, { attempt: 1 }, elsewhere))).toEqual(['train-worker-0 1']);
});

describe('an error about missing evidence', () => {
  test('says that no pod has failed', async () => {
    await expect(read([])).rejects.toThrow('There is no evidence of train: none of its pods has failed.');
  });

  test('says that a pod restarted in place has not failed, and where its log is', async () => {
    const message = 'train-worker-0: container pytorch exited with code 1; restarted in place 5 times';
    const cause = { reason: 'ContainersRestarting' as const, message, pod: 'train-worker-0' };
    const reading = readEvidence(store, { ...aStatus([]), phase: 'Starting', cause }, {}).next();
    await expect(reading).rejects.toMatchObject({
      message: `There is no evidence of train yet: ${message}.`,
      remedy: expect.stringContaining('`signalbox logs train --pod train-worker-0 --previous`'),
    });
  });

  test('lists the failed pods if none matches', async () => {
    const refused = read([await stored(0)], { pod: 'train-worker-9', attempt: 3 });
    await expect(refused).rejects.toThrow(NoEvidenceError);
    await expect(refused).rejects.toMatchObject({
      message: 'There is no evidence of train: train-worker-9, attempt 3.',
      remedy: 'The pods that failed last are train-worker-0 (attempt 1).',
    });
  });

  test('says where the records are, if not here', async () => {
    const ref = 'file:///var/lib/worker/ml/train/anchor-1/1/train-worker-0-1.json';
    const refused = read([{ ...aSummary(0), ref }]);
    await expect(refused).rejects.toMatchObject({
      name: 'EvidenceAwayError',
      message: `The evidence of train-worker-0 was stored as ${ref}, but cannot be read from ${directory}: it does not exist there.`,
      remedy: expect.stringContaining('SIGNALBOX_EVIDENCE_DIR'),
    });
  });

  test('says whether they are in a bucket', async () => {
    const s3 = new S3Store({ store: 's3', bucket: 'evidence' });
    const ref = s3.refOf(recordKeyOf(JOB, aSummary(0)));
    await expect(read([{ ...aSummary(0), ref }])).rejects.toMatchObject({
      remedy: expect.stringContaining('SIGNALBOX_EVIDENCE_STORE=s3'),
    });
    await expect(read([await stored(0)], {}, s3)).rejects.toThrow(EvidenceAwayError);
  });

  test('says what is wrong with the store', async () => {
    const evidence = [await stored(0)];
    const broken = join(directory, 'ml');
    await rm(broken, { recursive: true });
    await writeFile(broken, 'no directory');
    await expect(read(evidence)).rejects.toThrow(/cannot be read from .*: ENOTDIR/);
  });
});
