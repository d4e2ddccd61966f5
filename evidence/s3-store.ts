import type { S3Settings } from '../contracts/settings.ts';
import { keyAtEndOf } from './record-key.ts';
import { S3Connection } from './s3-connection.ts';
import type { EvidenceStore } from './store.ts';

/** A store that does not answer must not delay a restart for long. A record is a small object. */
const PATIENCE = { connectMs: 2_000, answerMs: 5_000, tries: 2 };

/** Stores records as objects in a bucket of Amazon S3 or of a compatible server. */
export class S3Store implements EvidenceStore {
  readonly location: string;
  readonly #connection: S3Connection;

  constructor(settings: S3Settings) {
    this.#connection = new S3Connection(settings, PATIENCE);
    this.location = this.#connection.location;
  }

  examine(): Promise<void> {
    return this.#connection.examineBucket();
  }

  async write(key: string, record: string): Promise<string> {
    const { client, sdk } = await this.#connection.open();
    const ContentType = 'application/json; charset=utf-8';
    await client.send(new sdk.PutObjectCommand({ ...this.#at(key), Body: record, ContentType }));
    return this.refOf(key);
  }

  async find(key: string): Promise<string | undefined> {
    const { client, sdk } = await this.#connection.open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(key)));
      return await Body?.transformToString('utf-8');
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  }

  async list(folder: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.#connection.keysFrom(`${folder}/`)) {
      if (key.endsWith('.json')) keys.push(keyAtEndOf(key));
    }
    return keys;
  }

  refOf(key: string): string {
    return `${this.location}/${keyAtEndOf(key)}`;
  }

  keyOf(ref: string): string | undefined {
    return ref.startsWith('s3:') ? keyAtEndOf(ref) : undefined;
  }

  close(): void {
    this.#connection.close();
  }

  #at(key: string) {
    return this.#connection.at(keyAtEndOf(key));
  }
}
