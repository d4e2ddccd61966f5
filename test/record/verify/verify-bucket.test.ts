import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { S3ArchiveStore } from '../../../record/archive/s3-archive-store.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { appendToLog } from '../../../record/log/append.ts';
import type { StoreFinding } from '../../../record/verify/verification.ts';
import { verifyStore } from '../../../record/verify/verify-store.ts';
import { someContents } from '../archive/some-job.ts';
import { aSigner } from '../log/a-log.ts';

const endpoint = process.env.SIGNALBOX_TEST_S3_ENDPOINT;
const withServer = endpoint ? describe : describe.skip;

withServer('the log in a bucket (needs an S3-compatible server: SIGNALBOX_TEST_S3_ENDPOINT, AWS_*)', () => {
  const bucket = `log-${randomUUID()}`;
  const settings = { store: 's3', bucket, prefix: 'team', endpoint } as const;
  const store = new S3ArchiveStore(settings);
  const signer = aSigner();

  beforeAll(async () => {
    const admin = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
    await admin.send(new CreateBucketCommand({ Bucket: bucket }));
    admin.destroy();
  });
  afterAll(() => store.close());

  const verified = async () => {
    const findings: StoreFinding[] = [];
    const keys = signer.keys.map(({ verifier }) => verifier);
    return { ...(await verifyStore({ store, keys, find: (finding) => findings.push(finding) })), findings };
  };

  it('a bucket with several appenders at once has all leaves, and no finding', async () => {
    const append = async (appender: number) => {
      const own = new S3ArchiveStore(settings);
      for (let job = 0; job < 3; job += 1) {
        const leaf = await writeArchive(own, await someContents({ name: `train-${appender}-${job}` }));
        await appendToLog(own, signer, [leaf]);
      }
      own.close();
    };
    await Promise.all([0, 1, 2, 3].map(append));
    await updateIndex(store);
    expect(await verified()).toMatchObject({ archives: 12, newest: { size: 12 }, findings: [] });
  });

  it('a bucket with a changed object has a finding', async () => {
    const key = 'jobs/namespace=ml/day=2026-11-23/train-1-1-5f0c/history-1.json.gz';
    const bytes = Buffer.from((await store.read(key))!);
    bytes[20]! ^= 1;
    await store.replace(key, bytes);
    expect((await verified()).findings).toEqual([expect.objectContaining({ kind: 'changed', key })]);
  });
});
