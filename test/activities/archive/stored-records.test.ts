import { expect, it } from '@jest/globals';
import type { ClosedJob } from '../../../activities/archive/closed-jobs.ts';
import { storedRecords } from '../../../activities/archive/stored-records.ts';
import type { EvidenceStore } from '../../../evidence/store.ts';
import { someRecord } from '../../record/archive/some-job.ts';

const JOB = { namespace: 'ml', name: 'train', anchorUid: 'a' } as ClosedJob;

const storeOf = (files: Readonly<Record<string, string>>): EvidenceStore => ({
  location: 'memory',
  examine: async () => undefined,
  write: async (key) => `memory:${key}`,
  find: async (key) => files[key],
  list: async () => Object.keys(files),
  refOf: (key) => `memory:${key}`,
  keyOf: () => undefined,
  close: () => undefined,
});

it('a damaged record is reported by name, and the others are kept as they were written', async () => {
  const record = { ...someRecord(), addedLater: true };
  const store = storeOf({
    'ml/train/a/cut': '{"version":1',
    'ml/train/a/other': '{"version":1}',
    'ml/train/a/sound': JSON.stringify(record),
  });
  const { evidence, missing } = await storedRecords(store, JOB, false);
  expect(evidence).toEqual([record]);
  expect(missing).toEqual([
    'a record of evidence: memory:ml/train/a/cut: expected a record by schemas/evidence-record.json',
    'a record of evidence: memory:ml/train/a/other: expected a record by schemas/evidence-record.json',
  ]);
});

it('an unavailable store is retried while there is time', async () => {
  const store = { ...storeOf({}), list: () => Promise.reject(new Error('away')) };
  await expect(storedRecords(store, JOB, false)).rejects.toThrow('memory did not give its evidence: away');
  expect(await storedRecords(store, JOB, true)).toEqual({
    ...{ evidence: [], pods: [] },
    missing: ['memory did not give its evidence: away'],
  });
});
