/**
 * Where archives are kept: a directory or a bucket. Keys are relative paths with `/` between their parts. Nothing but
 * `replace` ever changes a file that exists.
 */
export interface ArchiveStore {
  /** As a user would look for it: a directory, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Throws if the location does not exist, does not answer, is read-only, or does not keep the promise of `create`. */
  examine(): Promise<void>;
  /** Writes a whole file, or nothing. Returns false, and changes nothing, if the key exists: one of many callers wins. */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Writes a whole file over the one that is there. Only for what may be made again from other files. */
  replace(key: string, bytes: Uint8Array): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  /** Yields the keys that begin with this text, in the order of their characters. */
  list(prefix: string): AsyncIterable<string>;
  /** Deletes a file that others have replaced, e.g. a part of an index that was merged. */
  remove(key: string): Promise<void>;
  /** URL of a key: `file:///...` or `s3://bucket/key`. */
  refOf(key: string): string;
  close(): void;
}

/** One part of a key. None begins with a dot, so no key leaves its store, and stores can hide files of their own. */
const PART = /^[A-Za-z0-9_][A-Za-z0-9._=-]*$/;

/** Returns the key. Throws if it is none, e.g. because it has `..` as a part. */
export function checkedKey(key: string): string {
  if (key.split('/').every((part) => PART.test(part))) return key;
  throw new TypeError(
    `expected the key of a file in an archive: parts of letters, digits and ._=-, separated by slashes, got ${JSON.stringify(key)}`,
  );
}
