/** Stores records of failed pods and of what ran. Keys are those of `recordKeyOf` and `podsRecordKeyOf`. */
export interface EvidenceStore {
  /** Location of the records as a user would look for it: a directory, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Throws if the location does not exist or does not answer, or if its directory is read-only. */
  examine(): Promise<void>;
  /** Writes a record atomically and returns its ref. Replaces a record with the same key. */
  write(key: string, record: string): Promise<string>;
  /** Returns the record of a key, or undefined if there is none. */
  find(key: string): Promise<string | undefined>;
  /** Returns the keys that begin with this folder. */
  list(folder: string): Promise<string[]>;
  refOf(key: string): string;
  /** Returns the key of a ref; undefined if the ref belongs to a store of another kind. */
  keyOf(ref: string): string | undefined;
  close(): void;
}
