import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordKeyOf } from '../../evidence/record-key.ts';
import { S3Store } from '../../evidence/s3-store.ts';
import { freePort } from '../../worker/free-port.ts';

const JOB = { namespace: 'ml', name: 'train', anchorUid: randomUUID() };
const KEY = recordKeyOf(JOB, { attempt: 2, pod: 'train-worker-0', uid: randomUUID() });

process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'in-particular';

test('a ref of a bucket has bucket and prefix', () => {
  const store = new S3Store({ store: 's3', bucket: 'evidence', prefix: '/team/a/' });
  expect(store.location).toBe('s3://evidence/team/a');
  expect(store.refOf(KEY)).toBe(`s3://evidence/team/a/${KEY}`);
  expect(store.keyOf(store.refOf(KEY))).toBe(KEY);
  expect(store.keyOf(`file:///evidence/${KEY}`)).toBeUndefined();
});

test('a store whose server is unavailable fails at once', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const store = new S3Store({ store: 's3', bucket: 'evidence', endpoint });
  await expect(store.write(KEY, '{}')).rejects.toThrow('ECONNREFUSED');
  await expect(store.examine()).rejects.toThrow('ECONNREFUSED');
  store.close();
});

const endpoint = process.env.SIGNALBOX_TEST_S3_ENDPOINT;
const withServer = endpoint ? describe : describe.skip;

withServer('a record in a bucket (needs an S3-compatible server: SIGNALBOX_TEST_S3_ENDPOINT, AWS_*)', () => {
  const bucket = `evidence-${randomUUID()}`;
  const store = new S3Store({ store: 's3', bucket, prefix: 'team', endpoint });

  beforeAll(async () => {
    const admin = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
    await admin.send(new CreateBucketCommand({ Bucket: bucket }));
    admin.destroy();
  });
  afterAll(() => store.close());

  test('is undefined before it is written', async () => {
    expect(await store.find(KEY)).toBeUndefined();
    expect(await store.list('ml/train')).toEqual([]);
  });

  test('is read back by its ref, and listed', async () => {
    const ref = await store.write(KEY, '{"a":"ä"}');
    expect(ref).toBe(`s3://${bucket}/team/${KEY}`);
    expect(await store.find(store.keyOf(ref)!)).toBe('{"a":"ä"}');
    expect(await store.list(`ml/train/${JOB.anchorUid}`)).toEqual([KEY]);
  });

  test('fails in a missing bucket, with an error that says so', async () => {
    const nowhere = new S3Store({ store: 's3', bucket: `no-${bucket}`.slice(0, 60), endpoint });
    await expect(nowhere.write(KEY, '{}')).rejects.toThrow(/bucket/i);
    await expect(nowhere.examine()).rejects.toThrow('there is no bucket no-evidence');
    await expect(store.examine()).resolves.toBeUndefined();
    nowhere.close();
  });
});
