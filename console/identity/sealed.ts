import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from '../http/derived-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Texts that only consoles with the same key can make and read: a browser keeps them. Each is for one purpose and for a time.
 * AES-256-GCM, which encrypts and proves.
 */
export class Sealed<T> {
  readonly #key: Buffer;
  readonly #purpose: string;

  constructor(secret: Buffer, purpose: string) {
    this.#key = derivedKey(secret, purpose);
    this.#purpose = purpose;
  }

  seal(value: T, lifetimeMs: number): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(this.#purpose));
    const text = JSON.stringify({ value, until: Date.now() + lifetimeMs });
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Returns undefined for what was not sealed so, was changed, or is over. */
  open(text: string): T | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const cipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(this.#purpose))
      .setAuthTag(tag);
    try {
      const opened = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]);
      const { value, until } = JSON.parse(opened.toString('utf8')) as { value: T; until: number };
      return until > Date.now() ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
