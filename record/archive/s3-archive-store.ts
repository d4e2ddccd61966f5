import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3Settings } from '../../contracts/settings.ts';
import { S3Connection, statusOfS3 } from '../../evidence/s3-connection.ts';
import { doubledPause } from '../../language/back-off.ts';
import { errorCode } from '../../language/error-code.ts';
import { asError, errorMessage } from '../../language/error-message.ts';
import { type ArchiveStore, checkedKey } from './archive-store.ts';

/** Long, because no user waits and files may have some megabytes. The store itself retries: see `create`. */
const PATIENCE = { connectMs: 5_000, answerMs: 20_000, tries: 1 };
const TRIES = 4;
const PAUSE = { firstMs: 200, mostMs: 800 };

/** Keeps an archive in a bucket of Amazon S3, or of a compatible server that knows `If-None-Match`. */
export class S3ArchiveStore implements ArchiveStore {
  readonly location: string;
  readonly #connection: S3Connection;

  constructor(settings: S3Settings) {
    this.#connection = new S3Connection(settings, PATIENCE);
    this.location = this.#connection.location;
  }

  /** Some servers accept `If-None-Match` and ignore it, so tries it. */
  async examine(): Promise<void> {
    await this.#connection.examineBucket();
    const key = `probe/${randomUUID()}`;
    const [first, second] = [
      await this.create(key, Buffer.from('1')),
      await this.create(key, Buffer.from('2')),
    ];
    await this.remove(key).catch(() => undefined);
    if (first && !second) return;
    throw new Error(
      `${this.location}: expected an S3 server that refuses to write over an object (If-None-Match: *), got one that ${first ? 'wrote it twice' : 'did not write it'}; use Amazon S3, or another server or a directory`,
    );
  }

  /**
   * A request whose answer was lost may have succeeded. Then the next one is refused, and the content of the object
   * shows whether this request created it.
   */
  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    let isUncertain = false;
    const isCreated = await this.#retrying(async () => {
      try {
        await this.#put(key, bytes, { IfNoneMatch: '*' });
        return true;
      } catch (error) {
        if (statusOfS3(error) === 412) return false;
        isUncertain ||= statusOfS3(error) !== 409;
        throw error;
      }
    });
    return isCreated || (isUncertain && isSame(await this.read(key), bytes));
  }

  async replace(key: string, bytes: Uint8Array): Promise<void> {
    await this.#retrying(() => this.#put(key, bytes, {}));
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.#retrying(async () => {
      const { client, sdk } = await this.#connection.open();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(key)));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    });
  }

  /** Goes on behind the last key after a fault that passes. */
  async *list(prefix: string): AsyncGenerator<string> {
    let last: string | undefined;
    for (let tries = 1; ; tries++) {
      try {
        for await (const key of this.#connection.keysFrom(prefix, last)) {
          last = key;
          tries = 1;
          yield key;
        }
        return;
      } catch (error) {
        await untilNextTry(tries, error);
      }
    }
  }

  async remove(key: string): Promise<void> {
    await this.#retrying(async () => {
      const { client, sdk } = await this.#connection.open();
      await client.send(new sdk.DeleteObjectCommand(this.#at(key)));
    });
  }

  refOf(key: string): string {
    return `${this.location}/${checkedKey(key)}`;
  }

  close(): void {
    this.#connection.close();
  }

  #at(key: string) {
    return this.#connection.at(checkedKey(key));
  }

  async #put(key: string, bytes: Uint8Array, condition: { readonly IfNoneMatch?: '*' }): Promise<void> {
    const { client, sdk } = await this.#connection.open();
    await client.send(new sdk.PutObjectCommand({ ...this.#at(key), ...condition, Body: bytes }));
  }

  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        await untilNextTry(tries, error);
      }
    }
  }
}

/** Throws the error if another try does not help. */
async function untilNextTry(tries: number, error: unknown): Promise<void> {
  if (tries >= TRIES || !mayPass(error)) throw error;
  await delay(doubledPause(PAUSE, tries));
}

/** No answer, too many requests, a fault of the server, or two writers of one object at once (409). */
function mayPass(error: unknown): boolean {
  const status = statusOfS3(error);
  if (status === undefined) return isOfNetwork(error);
  return status === 409 || status === 429 || status >= 500;
}

/** Without credentials, for example, another try does not help. */
const isOfNetwork = (error: unknown): boolean =>
  asError(error).name === 'TimeoutError' ||
  /^E[A-Z]+$/.test(String(errorCode(error))) ||
  /socket|aborted/i.test(errorMessage(error));

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0;
