/** Keeps records of failed pods. Keys are those of `recordKeyOf`. */
export interface EvidenceStore {
  /** Where records are, as people would look for it: a directory, or `s3://bucket/prefix`. */
  readonly place: string;
  /** Throws if no record can be written: the place is not there, does not answer, or is read-only. */
  examine(): Promise<void>;
  /** Keeps a record, whole or not at all, and gives its ref. The same key again replaces it. */
  write(key: string, record: string): Promise<string>;
  /** The record of a key, or undefined where there is none. */
  find(key: string): Promise<string | undefined>;
  /** Keys that begin with this folder. */
  list(folder: string): Promise<string[]>;
  refOf(key: string): string;
  /** The key that a ref stands for; undefined if it is a ref to a store of another kind. */
  keyOf(ref: string): string | undefined;
  close(): void;
}
