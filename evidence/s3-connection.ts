import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../contracts/settings.ts';

interface Patience {
  readonly connectMs: number;
  /** How long the server has for an answer. */
  readonly answerMs: number;
  readonly tries: number;
}

interface S3 {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

/** Most servers other than Amazon's ignore the region, but signing a request requires one. */
const ANY_REGION = 'us-east-1';

/** A location in a bucket of Amazon S3 or of a compatible server. Connects when it is first used. */
export class S3Connection {
  /** `s3://bucket/prefix` */
  readonly location: string;
  readonly #settings: S3Settings;
  readonly #patience: Patience;
  readonly #prefix: string;
  #connected: Promise<S3> | undefined;

  constructor(settings: S3Settings, patience: Patience) {
    this.#settings = settings;
    this.#patience = patience;
    this.#prefix = (settings.prefix ?? '').replace(/^\/+|\/+$/g, '');
    this.location = [`s3://${settings.bucket}`, this.#prefix].filter(Boolean).join('/');
  }

  open(): Promise<S3> {
    this.#connected ??= connect(this.#settings, this.#patience);
    return this.#connected;
  }

  /** Returns the parameters that name an object; its key is relative to the location. */
  at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#prefix ? `${this.#prefix}/${key}` : key };
  }

  /** Yields the keys, relative to the location, that begin with this text, in their order; those behind `after`, if given. */
  async *keysFrom(start: string, after?: string): AsyncGenerator<string> {
    const { client, sdk } = await this.open();
    const { Bucket, Key: Prefix } = this.at(start);
    const StartAfter = after === undefined ? undefined : this.at(after).Key;
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix, StartAfter });
    for await (const { Contents = [] } of pages) {
      for (const { Key } of Contents) if (Key) yield Key.slice(Prefix.length - start.length);
    }
  }

  /** Accepts status 403: an account that may write need not have access to the bucket itself. */
  async examineBucket(): Promise<void> {
    const { client, sdk } = await this.open();
    const { bucket } = this.#settings;
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }));
    } catch (error) {
      const status = statusOfS3(error);
      if (status === 404) throw new NoBucketError(bucket);
      if (status !== 403) throw error;
    }
  }

  close(): void {
    void this.#connected?.then(({ client }) => client.destroy()).catch(() => undefined);
  }
}

class NoBucketError extends Error {
  override readonly name = 'NoBucketError';
  readonly code = 'NoSuchBucket';

  constructor(bucket: string) {
    super(`there is no bucket ${bucket}`);
  }
}

/** The HTTP status of an answer that is an error; undefined if there was no answer. */
export const statusOfS3 = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Loads the SDK only when it is used: it takes 0.2 s and 35 MB (Node 24.21, two runs). */
async function connect({ region, endpoint }: S3Settings, patience: Patience): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Without a region or an endpoint, the environment or the profile decides.
    region: region ?? (endpoint ? (process.env.AWS_REGION ?? ANY_REGION) : undefined),
    endpoint,
    forcePathStyle: endpoint !== undefined,
    maxAttempts: patience.tries,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      // By default the SDK only warns, and goes on waiting.
      throwOnRequestTimeout: true,
      // Bounds the gaps inside an answer, too.
      socketTimeout: patience.answerMs,
    },
    // Checksums in trailers are Amazon's extension; other servers reject them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}
