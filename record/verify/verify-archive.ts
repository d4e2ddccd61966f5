import { canonicalJson } from '../../language/canonical-json.ts';
import { archiveFolder, JOB_FILE, LEDGER_FILE } from '../archive/archive-keys.ts';
import { ARCHIVE_SCHEMA, type ArchivedFile, type ArchivedJob } from '../archive/archived-job.ts';
import { gunzipped } from '../archive/gz-file.ts';
import type { LogLeaf } from '../archive/log-leaf.ts';
import { sha256 } from '../ledger/chain.ts';
import { chainFaults } from '../ledger/chain-faults.ts';
import { leafPlaceText } from '../log/leaf-place.ts';
import { deletionPlaceKey, leafPlaceKey } from '../log/log-keys.ts';
import { finderKeys } from './finders.ts';
import type { LoggedArchive, LoggedDeletion } from './logged-archives.ts';
import type { StoreFinding, Verification } from './verification.ts';

/** What was read of an archive. */
export interface VerifiedArchive {
  readonly files: number;
  readonly bytes: number;
  /** Keys outside of the archive's folder that belong to it. */
  readonly finders: readonly string[];
}

/** Compares every file of an archive with its leaf. */
export async function verifyJobArchive(
  { store, listing, find }: Verification,
  logged: LoggedArchive,
): Promise<VerifiedArchive> {
  const { leaf } = logged;
  const archive = new ArchiveCheck(leaf, { ...{ store, listing }, find });
  const placeKey = leafPlaceKey(leaf.folder);
  const finders = finderKeys(leaf);
  await archive.expectText(placeKey, leafPlaceText(logged));
  for (const key of finders) await archive.expectText(key, `${leaf.folder}\n`);
  const job = await archive.job();
  if (job) await archive.files(job);
  return archive.result([placeKey, ...finders]);
}

/** Looks whether an archive that was deleted on purpose is gone. Its leaves stay in the log, and their places. */
export async function verifyDeletion(
  { store, listing, find }: Verification,
  logged: LoggedArchive,
  deletion: LoggedDeletion,
): Promise<VerifiedArchive> {
  const { leaf } = logged;
  const { folder } = leaf;
  const archive = new ArchiveCheck(leaf, { store, listing, find });
  await archive.expectText(leafPlaceKey(folder), leafPlaceText(logged));
  await archive.expectText(deletionPlaceKey(folder), leafPlaceText(deletion));
  const places = [leafPlaceKey(folder), deletionPlaceKey(folder)];
  // It may have been deleted since the files were listed.
  const left = listing.folders.has(folder) ? await filesIn(store, folder) : 0;
  if (left === 0) return archive.result(places);
  const { by, at, why } = deletion.leaf;
  const expected = `no files, as ${by} deleted this archive at ${at} (leaf ${deletion.index} of the log): ${why}`;
  find({
    kind: 'unlogged',
    key: folder,
    expected,
    found: `${left}, which the deletion has not removed`,
    folder,
  });
  return archive.result([...places, ...finderKeys(leaf)]);
}

async function filesIn(store: Verification['store'], folder: string): Promise<number> {
  let count = 0;
  for await (const _ of store.list(`${folder}/`)) count += 1;
  return count;
}

class ArchiveCheck {
  readonly #leaf: LogLeaf;
  readonly #verification: Pick<Verification, 'store' | 'listing' | 'find'>;
  #files = 0;
  #bytes = 0;

  constructor(leaf: LogLeaf, verification: Pick<Verification, 'store' | 'listing' | 'find'>) {
    this.#leaf = leaf;
    this.#verification = verification;
  }

  result = (finders: readonly string[]): VerifiedArchive => ({
    files: this.#files,
    bytes: this.#bytes,
    finders,
  });

  /** Returns job.json as far as it can be used; it may be changed. */
  async job(): Promise<ArchivedJob | undefined> {
    const key = this.#key(JOB_FILE);
    const bytes = await this.#read(key, `SHA-256 ${this.#leaf.job}`);
    if (!bytes) return undefined;
    const hash = sha256(bytes);
    if (hash !== this.#leaf.job) this.#find('changed', key, `SHA-256 ${this.#leaf.job}`, hash);
    const job = jobIn(bytes);
    if (typeof job === 'string') this.#find('changed', key, `an archive of schema ${ARCHIVE_SCHEMA}`, job);
    else if (hash === this.#leaf.job) this.#compareWithLeaf(key, job);
    return typeof job === 'string' ? undefined : job;
  }

  async files({ files }: ArchivedJob): Promise<void> {
    for (const [name, file] of Object.entries(files)) await this.#file(name, file);
    for (const name of this.#verification.listing.folders.get(this.#leaf.folder) ?? []) {
      if (name === JOB_FILE || name in files) continue;
      this.#find('unlogged', this.#key(name), `only the files in ${JOB_FILE}`, 'another file');
    }
  }

  async #file(name: string, expected: ArchivedFile): Promise<void> {
    const key = this.#key(name);
    // Only a changed job.json has such names.
    if (!FILE_NAME.test(name)) return;
    const bytes = await this.#read(key, `a file with SHA-256 ${expected?.sha256}`);
    if (!bytes) return;
    const hash = sha256(bytes);
    if (hash !== expected?.sha256) this.#find('changed', key, `SHA-256 ${expected?.sha256}`, hash);
    else if (bytes.length !== expected.bytes) {
      this.#find('changed', key, `${expected.bytes} bytes`, `${bytes.length}`);
    }
    if (isLedger(name)) await this.#ledger(key, bytes);
  }

  async expectText(key: string, text: string): Promise<void> {
    const bytes = await this.#read(key, JSON.stringify(text));
    const found = bytes && Buffer.from(bytes).toString('latin1');
    if (found === undefined || found === text) return;
    this.#find('changed', key, JSON.stringify(text), JSON.stringify(found.slice(0, 200)));
  }

  /** Against the leaf: a chain that fits a changed job.json only would be no proof. */
  async #ledger(key: string, bytes: Uint8Array): Promise<void> {
    const text = await gunzipped(bytes).catch((error: Error) => {
      this.#find('changed', key, 'a ledger, compressed with gzip', error.message);
    });
    if (text === undefined) return;
    for (const { line, expected, found } of chainFaults(text, this.#leaf, this.#leaf.ledger)) {
      this.#find('changed', line === undefined ? key : `${key}, line ${line}`, expected, found);
    }
  }

  #compareWithLeaf(key: string, job: ArchivedJob): void {
    const { folder, workflowId, firstRunId, ledger } = this.#leaf;
    const expected = canonicalJson({ folder, workflowId, firstRunId, ledger });
    const found = canonicalJson({
      folder: archiveFolder(job),
      ...{ workflowId: job.workflowId, firstRunId: job.firstRunId, ledger: job.ledger },
    });
    if (found !== expected) this.#find('contradiction', key, `what its leaf says, ${expected}`, found);
  }

  async #read(key: string, expected: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#verification.store.read(key);
    if (!bytes) this.#find('missing', key, expected, 'no file');
    this.#files += bytes ? 1 : 0;
    this.#bytes += bytes?.length ?? 0;
    return bytes;
  }

  #key = (name: string): string => `${this.#leaf.folder}/${name}`;

  #find(kind: StoreFinding['kind'], key: string, expected: string, found: string): void {
    this.#verification.find({ kind, key, expected, found, folder: this.#leaf.folder });
  }
}

const FILE_NAME = /^\w[\w.=-]*$/;

const isLedger = (name: string): boolean => name.startsWith(LEDGER_FILE.slice(0, LEDGER_FILE.indexOf('.')));

/** Returns a job.json, or what is wrong with it. */
function jobIn(bytes: Uint8Array): ArchivedJob | string {
  const text = Buffer.from(bytes).toString();
  try {
    const job = JSON.parse(text) as Partial<ArchivedJob> | null;
    if (job?.schema !== ARCHIVE_SCHEMA) return `schema ${JSON.stringify(job?.schema)}`;
    const isWhole = typeof job.closed === 'string' && typeof job.files === 'object' && job.files !== null;
    if (!isWhole) return 'one without closed or files';
    return job as ArchivedJob;
  } catch {
    return 'something that is not JSON';
  }
}
