import type { temporal } from '@temporalio/proto';
import type { EvidenceRecord, LedgerEntry, RecordedPod } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';
import { truncate } from '../../language/shorten.ts';
import { type ChainedEntry, genesisOf, sha256 } from '../ledger/chain.ts';
import { DamagedArchiveError, UnknownArchiveError } from './archive-errors.ts';
import { EVIDENCE_FILE, JOB_FILE, LEDGER_FILE, PODS_FILE } from './archive-keys.ts';
import type { ArchiveStore } from './archive-store.ts';
import { leafOf } from './archive-writer.ts';
import { ARCHIVE_SCHEMA, type ArchivedJob } from './archived-job.ts';
import { gunzipped } from './gz-file.ts';
import type { LogLeaf } from './log-leaf.ts';

/** The history of one run of a job's workflow. */
interface StoredHistory {
  readonly runId: string;
  readonly history: temporal.api.history.v1.IHistory;
}

/** The archive of one job. Everything that it returns has the SHA-256 that job.json gives. */
export class JobArchive {
  readonly job: ArchivedJob;
  /** The archive's folder, see `archiveFolder`. */
  readonly folder: string;
  /** What the log has of this archive, if nothing was changed. */
  readonly leaf: LogLeaf;
  readonly #store: ArchiveStore;

  private constructor(store: ArchiveStore, folder: string, bytes: Uint8Array) {
    this.#store = store;
    this.folder = folder;
    this.job = parseJob(bytes, store.refOf(`${folder}/${JOB_FILE}`));
    this.leaf = leafOf(folder, this.job, bytes);
  }

  /** Returns undefined if there is no archive, or none that was finished. */
  static async open(store: ArchiveStore, folder: string): Promise<JobArchive | undefined> {
    const bytes = await store.read(`${folder}/${JOB_FILE}`);
    return bytes && new JobArchive(store, folder, bytes);
  }

  /** URL of the archive's folder, for messages. */
  get ref(): string {
    return this.#store.refOf(this.folder);
  }

  /** The lines, in order. Throws if the chain is broken. */
  async ledger(): Promise<ChainedEntry[]> {
    const name = this.#nameOf(LEDGER_FILE) ?? LEDGER_FILE;
    const lines = await this.#lines(name);
    let hash = genesisOf(this.job);
    const entries = lines.map((line, index) => {
      const entry = this.#parsed<ChainedEntry>(name, line);
      if (entry.prev !== hash) throw this.#damaged(name, `line ${index + 1} does not follow the line before`);
      hash = sha256(line);
      return entry;
    });
    const { ledger } = this.job;
    if (entries.length === ledger.entries && hash === ledger.hash) return entries;
    throw this.#damaged(name, `expected ${ledger.entries} entries as in ${JOB_FILE}, got ${entries.length}`);
  }

  /** The ledger's entries as a job's own history has them: without the hashes of its lines. */
  async entries(): Promise<LedgerEntry[]> {
    return (await this.ledger()).map(({ prev: _, ...entry }) => entry);
  }

  /** The histories that the archive has, the oldest first, one after the other: each may be large. */
  async *histories(): AsyncGenerator<StoredHistory> {
    // Only histories need Temporal's library, which takes long to load.
    const { parseHistory } = await import('./gz-history.ts');
    for (const { runId, file } of this.job.runs)
      yield { runId, history: await parseHistory(await this.#read(file)) };
  }

  /** The histories as protobuf JSON, which Temporal's own tools take. */
  async *historiesAsJson(): AsyncGenerator<{ readonly runId: string; readonly json: object }> {
    for (const { runId, file } of this.job.runs) {
      yield { runId, json: JSON.parse(await gunzipped(await this.#read(file))) as object };
    }
  }

  async evidence(): Promise<EvidenceRecord[]> {
    return this.#values<EvidenceRecord>(EVIDENCE_FILE);
  }

  async pods(): Promise<RecordedPod[]> {
    return this.#values<RecordedPod>(PODS_FILE);
  }

  async #values<T>(usual: string): Promise<T[]> {
    const name = this.#nameOf(usual);
    return name === undefined ? [] : (await this.#lines(name)).map((line) => this.#parsed<T>(name, line));
  }

  async #lines(name: string): Promise<string[]> {
    const bytes = await this.#read(name);
    try {
      return (await gunzipped(bytes)).split('\n').slice(0, -1);
    } catch (cause) {
      throw this.#damaged(name, 'expected lines that were compressed with gzip', cause);
    }
  }

  #parsed<T>(name: string, line: string): T {
    try {
      return JSON.parse(line) as T;
    } catch (cause) {
      throw this.#damaged(name, 'expected a JSON value on each line', cause);
    }
  }

  /** Returns what a file is called in this archive. */
  #nameOf(usual: string): string | undefined {
    const [stem, ...ends] = usual.split('.');
    const pattern = new RegExp(`^${stem}(-[0-9a-f]{8})?\\.${ends.join('\\.')}$`);
    return Object.keys(this.job.files).find((name) => pattern.test(name));
  }

  async #read(name: string): Promise<Uint8Array> {
    const expected = this.job.files[name];
    if (!expected) throw this.#damaged(JOB_FILE, `expected the SHA-256 of ${name}, got none`);
    const bytes = await this.#store.read(`${this.folder}/${name}`);
    if (!bytes) throw this.#damaged(name, 'expected a file, got none');
    if (bytes.length !== expected.bytes) {
      throw this.#damaged(name, `expected ${expected.bytes} bytes, got ${bytes.length}`);
    }
    const hash = sha256(bytes);
    if (hash === expected.sha256) return bytes;
    throw this.#damaged(name, `expected the SHA-256 ${expected.sha256}, got ${hash}`);
  }

  #damaged(name: string, what: string, cause?: unknown): DamagedArchiveError {
    return new DamagedArchiveError(this.#store.refOf(`${this.folder}/${name}`), what, cause);
  }
}

function parseJob(bytes: Uint8Array, ref: string): ArchivedJob {
  const job = parseJson(Buffer.from(bytes).toString('utf8'), ref);
  if (job.schema !== ARCHIVE_SCHEMA) {
    throw new UnknownArchiveError(ref, ARCHIVE_SCHEMA, JSON.stringify(job.schema) ?? 'none');
  }
  if (isFields(job.files) && isFields(job.ledger) && Array.isArray(job.runs)) return job;
  throw new DamagedArchiveError(ref, 'expected files, runs and a ledger');
}

function parseJson(text: string, ref: string): ArchivedJob {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as ArchivedJob;
  } catch (cause) {
    throw new DamagedArchiveError(ref, 'expected JSON, got something else or a part of it', cause);
  }
  throw new DamagedArchiveError(
    ref,
    `expected an object of schema ${ARCHIVE_SCHEMA}, got ${truncate(text, 40)}`,
  );
}
