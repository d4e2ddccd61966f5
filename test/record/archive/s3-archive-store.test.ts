import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { archiveIn } from '../../../record/archive/archive-reader.ts';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { S3ArchiveStore } from '../../../record/archive/s3-archive-store.ts';
import { freePort } from '../../../worker/free-port.ts';
import { allOf } from './all-of.ts';
import { SOME_ENTRIES, someContents } from './some-job.ts';

process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'in-particular';

const bytes = (content: string) => Buffer.from(content);
const textOf = async (store: S3ArchiveStore, key: string) =>
  Buffer.from((await store.read(key)) ?? 'nothing').toString();

/** A bucket that keeps objects in memory, whose answers a test can spoil. */
class Bucket {
  readonly objects = new Map<string, string>();
  /** Returns true if it has answered itself, or will not answer. `isDone`: the object was written. */
  spoil: (request: IncomingMessage, response: ServerResponse, isDone: boolean) => boolean = () => false;
  ignoresConditions = false;
  #server: Server | undefined;

  async open(): Promise<S3ArchiveStore> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return new S3ArchiveStore({ store: 's3', bucket: 'archive', endpoint: `http://127.0.0.1:${port}` });
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const key = request.url!.split('?')[0]!;
    const isTaken =
      request.headers['if-none-match'] === '*' && !this.ignoresConditions && this.objects.has(key);
    const writes = request.method === 'PUT' && !isTaken;
    if (this.spoil(request, response, false)) return;
    if (writes) this.objects.set(key, content);
    if (this.spoil(request, response, writes)) return;
    if (isTaken) refuse(response, 412, 'PreconditionFailed');
    else if (request.method === 'GET' && !this.objects.has(key)) refuse(response, 404, 'NoSuchKey');
    else response.writeHead(request.method === 'DELETE' ? 204 : 200).end(this.objects.get(key));
  }
}

const listing = (keys: readonly string[], isCut: boolean) =>
  `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${isCut ? '<NextContinuationToken>more</NextContinuationToken>' : ''}${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;

const refuse = (response: ServerResponse, status: number, code: string) =>
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);

describe('a bucket', () => {
  let bucket = new Bucket();
  afterEach(() => {
    bucket.close();
    bucket = new Bucket();
  });

  test('has a file once it is created, and never changes it', async () => {
    const store = await bucket.open();
    expect(await store.create('a/b', bytes('one'))).toBe(true);
    expect(await store.create('a/b', bytes('two'))).toBe(false);
    expect(await textOf(store, 'a/b')).toBe('one');
  });

  test('continues a list behind the last key after a fault', async () => {
    const store = await bucket.open();
    const asked: (string | null)[] = [];
    bucket.spoil = (request, response) => {
      const query = new URL(request.url!, 'http://nowhere').searchParams;
      asked.push(query.get('start-after') ?? query.get('continuation-token'));
      if (asked.length === 2) refuse(response, 503, 'SlowDown');
      else response.end(listing(asked.length === 1 ? ['a/1', 'a/2'] : ['a/3'], asked.length === 1));
      return true;
    };
    expect(await allOf(store.list('a/'))).toEqual(['a/1', 'a/2', 'a/3']);
    expect(asked).toEqual([null, 'more', 'a/2']);
  });

  test('with a lost answer has the file, and it is the writer’s', async () => {
    const store = await bucket.open();
    let lost = 0;
    bucket.spoil = (request, _response, isDone) =>
      isDone && lost++ === 0 && Boolean(request.socket.destroy());
    expect(await store.create('a', bytes('mine'))).toBe(true);
    expect(lost).toBe(1);
  });

  test('with a lost answer may have the file of another writer', async () => {
    const store = await bucket.open();
    bucket.spoil = (request) => {
      if (request.method !== 'PUT' || bucket.objects.size > 0) return false;
      bucket.objects.set('/archive/a', 'another');
      return Boolean(request.socket.destroy());
    };
    expect(await store.create('a', bytes('mine'))).toBe(false);
    expect(await textOf(store, 'a')).toBe('another');
  });

  test.each([
    [409, 'ConditionalRequestConflict'],
    [503, 'SlowDown'],
    [500, 'InternalError'],
  ])('that answers %i %s for now is retried', async (status, code) => {
    const store = await bucket.open();
    let refused = 0;
    bucket.spoil = (_request, response) => refused++ < 2 && Boolean(refuse(response, status, code));
    expect(await store.create('a', bytes('mine'))).toBe(true);
  });

  test('without write permission is an error at once', async () => {
    const store = await bucket.open();
    bucket.spoil = (_request, response) => Boolean(refuse(response, 403, 'AccessDenied'));
    await expect(store.create('a', bytes('mine'))).rejects.toThrow('AccessDenied');
  });

  test('of a server that applies If-None-Match is accepted', async () => {
    await (await bucket.open()).examine();
    expect([...bucket.objects.values()]).not.toContain('2');
  });

  test('of a server that ignores If-None-Match is refused', async () => {
    bucket.ignoresConditions = true;
    await expect((await bucket.open()).examine()).rejects.toThrow('got one that wrote it twice');
  });

  test('of an unavailable server fails at once', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const store = new S3ArchiveStore({ store: 's3', bucket: 'archive', endpoint });
    await expect(store.create('a', bytes(''))).rejects.toThrow('ECONNREFUSED');
  });
});

const endpoint = process.env.SIGNALBOX_TEST_S3_ENDPOINT;
const withServer = endpoint ? describe : describe.skip;

withServer(
  'an archive in a bucket (needs an S3-compatible server: SIGNALBOX_TEST_S3_ENDPOINT, AWS_*)',
  () => {
    const name = `archive-${randomUUID()}`;
    const store = new S3ArchiveStore({ store: 's3', bucket: name, prefix: 'team', endpoint });

    beforeAll(async () => {
      const admin = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
      await admin.send(new CreateBucketCommand({ Bucket: name }));
      admin.destroy();
    });
    afterAll(() => store.close());

    test('is accepted', async () => {
      await store.examine();
      expect(await allOf(store.list(''))).toEqual([]);
    });

    test('lets one of twenty writers win', async () => {
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, writer) => store.create('log/1', bytes(String(writer)))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await textOf(store, 'log/1')).toBe(String(won.indexOf(true)));
    });

    test('is written and read back', async () => {
      const contents = await someContents();
      await Promise.all([writeArchive(store, contents), writeArchive(store, contents)]);
      await writeArchive(store, await someContents({ name: 'train-2', workflowId: 'by hand' }));
      const archive = archiveIn(store);
      const found = await archive.find({ namespace: 'ml', name: 'train' });
      expect((await found!.ledger()).map(({ prev: _, ...entry }) => entry)).toEqual(SOME_ENTRIES);
      expect((await archive.find({ workflowId: 'by hand' }))!.job.name).toBe('train-2');
      expect(await allOf(archive.list())).toHaveLength(2);
    });

    test('replaces and removes files that can be made again', async () => {
      await store.replace('log/checkpoint', bytes('one'));
      await store.replace('log/checkpoint', bytes('two'));
      expect(await textOf(store, 'log/checkpoint')).toBe('two');
      await store.remove('log/checkpoint');
      expect(await store.read('log/checkpoint')).toBeUndefined();
    });
  },
);
