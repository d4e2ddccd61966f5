import type { S3Client } from '@aws-sdk/client-s3';
import type { EvidenceSettings } from '../contracts/settings.ts';
import { keyAtEndOf } from './record-key.ts';
import type { EvidenceStore } from './store.ts';

type S3Settings = Extract<EvidenceSettings, { store: 's3' }>;

/** A store that does not answer must not delay a restart for long. A record is a small object. */
const CONNECT_MS = 2_000;
const ANSWER_MS = 5_000;
const TRIES = 2;
/** Most servers other than Amazon's ignore the region, but signing a request requires one. */
const ANY_REGION = 'us-east-1';

/** Stores records as objects in a bucket of Amazon S3 or of a compatible server. */
export class S3Store implements EvidenceStore {
  readonly place: string;
  readonly #settings: S3Settings;
  readonly #prefix: string;
  #connected: Promise<S3> | undefined;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#prefix = (settings.prefix ?? '').replace(/^\/+|\/+$/g, '');
    this.place = [`s3://${settings.bucket}`, this.#prefix].filter(Boolean).join('/');
  }

  /** Accepts status 403: an account that may write need not have access to the bucket itself. */
  async examine(): Promise<void> {
    const { client, sdk } = await this.#s3();
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: this.#settings.bucket }));
    } catch (error) {
      const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
      if ($metadata?.httpStatusCode === 404) throw new Error(`there is no bucket ${this.#settings.bucket}`);
      if ($metadata?.httpStatusCode !== 403) throw error;
    }
  }

  async write(key: string, record: string): Promise<string> {
    const { client, sdk } = await this.#s3();
    const ContentType = 'application/json; charset=utf-8';
    await client.send(new sdk.PutObjectCommand({ ...this.#at(key), Body: record, ContentType }));
    return this.refOf(key);
  }

  async find(key: string): Promise<string | undefined> {
    const { client, sdk } = await this.#s3();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(key)));
      return await Body?.transformToString('utf-8');
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  async list(folder: string): Promise<string[]> {
    const { client, sdk } = await this.#s3();
    const Prefix = `${this.#within(folder)}/`;
    const keys: string[] = [];
    for await (const { Contents = [] } of sdk.paginateListObjectsV2(
      { client },
      { Bucket: this.#settings.bucket, Prefix },
    )) {
      keys.push(...Contents.flatMap(({ Key }) => (Key?.endsWith('.json') ? [keyAtEndOf(Key)] : [])));
    }
    return keys;
  }

  refOf(key: string): string {
    return `${this.place}/${keyAtEndOf(key)}`;
  }

  keyOf(ref: string): string | undefined {
    return ref.startsWith('s3:') ? keyAtEndOf(ref) : undefined;
  }

  close(): void {
    void this.#connected?.then(({ client }) => client.destroy()).catch(() => undefined);
  }

  #at(key: string) {
    return { Bucket: this.#settings.bucket, Key: this.#within(keyAtEndOf(key)) };
  }

  #within(path: string): string {
    return this.#prefix ? `${this.#prefix}/${path}` : path;
  }

  #s3(): Promise<S3> {
    this.#connected ??= connect(this.#settings);
    return this.#connected;
  }
}

interface S3 {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

/** Loads the SDK only when it is used: it takes 0.2 s and 35 MB (Node 24.21, two runs). */
async function connect({ region, endpoint }: S3Settings): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Without a region or an endpoint, the environment or the profile decides.
    region: region ?? (endpoint ? (process.env.AWS_REGION ?? ANY_REGION) : undefined),
    endpoint,
    forcePathStyle: endpoint !== undefined,
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
    // Checksums in trailers are Amazon's extension; other servers reject them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}
