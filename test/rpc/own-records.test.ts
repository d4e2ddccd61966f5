import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EvidenceAwayError } from '../../client/errors/errors.ts';
import { readEvidence } from '../../client/use-cases/pods/evidence.ts';
import type { EvidenceSummary, JobStatus } from '../../contracts/types.ts';
import { FileStore } from '../../evidence/file-store.ts';
import { recordKeyOf } from '../../evidence/record-key.ts';
import { ownRecords } from '../../rpc/own-records.ts';
import { allOf } from '../record/archive/all-of.ts';
import { someRecord } from '../record/archive/some-job.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-own-records-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const storeIn = (folder: string) => new FileStore(join(directory, folder));

/** Writes a record, and returns the status that names it. */
async function recordedIn(folder: string): Promise<JobStatus> {
  const record = someRecord('anchor-1');
  const key = recordKeyOf({ namespace: 'ml', name: 'train', anchorUid: 'anchor-1' }, record.summary);
  const ref = await storeIn(folder).write(key, JSON.stringify(record));
  const evidence: EvidenceSummary[] = [{ ...record.summary, ref }];
  return {
    ...{ kind: 'PyTorchJob', name: 'train', namespace: 'ml', phase: 'Failed', state: 'Failed', attempt: 1 },
    ...{ restarts: 0, conditions: [], replicaStatuses: {}, warnings: [], timeline: [], evidence },
  };
}

const read = (status: JobStatus) => allOf(readEvidence(ownRecords(storeIn('own')), status, {}));

it('a worker answers the records of its own store', async () => {
  expect(await read(await recordedIn('own'))).toMatchObject([{ anchorUid: 'anchor-1' }]);
});

it('a worker reads no other directory, whatever a status names', async () => {
  const status = await recordedIn('theirs');
  await expect(read(status)).rejects.toThrow(EvidenceAwayError);
  expect(await allOf(readEvidence(storeIn('own'), status, {}))).toHaveLength(1);
});
