import { workflowIdOf } from '../../contracts/labels.ts';
import type { EvidenceRecord, LedgerEntry, PodsRecord } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';
import { chainOf, sha256 } from '../ledger/chain.ts';
import { ForeignArchiveError } from './archive-errors.ts';
import {
  type ArchiveIdentity,
  archiveFolder,
  EVIDENCE_FILE,
  historyFile,
  idKey,
  JOB_FILE,
  LEDGER_FILE,
  nameKey,
  PODS_FILE,
} from './archive-keys.ts';
import { type ArchiveSeal, isSealedJob, sealedJob } from './archive-seal.ts';
import type { ArchiveStore } from './archive-store.ts';
import { ARCHIVE_SCHEMA, type ArchivedFile, type ArchivedJob } from './archived-job.ts';
import { gzippedLines } from './gz-file.ts';
import { LEAF_SCHEMA, type LogLeaf } from './log-leaf.ts';

/** All that is archived of a job. */
export interface ArchiveContents {
  /** What is known of the job, without what follows from the rest. */
  readonly job: Omit<ArchivedJob, 'schema' | 'ledger' | 'runs' | 'files'>;
  readonly entries: readonly LedgerEntry[];
  /** The runs of the workflow, the oldest first. */
  readonly histories: readonly (ArchivedHistory | WrittenHistory)[];
  readonly evidence: readonly EvidenceRecord[];
  readonly pods: readonly PodsRecord[];
}

interface ArchivedHistory {
  readonly runId: string;
  readonly events: number;
  /** Protobuf JSON, gzip. */
  readonly bytes: Uint8Array;
}

/** A history that is in its archive's folder already. */
export interface WrittenHistory {
  readonly runId: string;
  readonly events: number;
  readonly written: WrittenFile;
}

/** Writes the history of a run before the rest of its archive, so that only one has to be in memory. */
export async function writeHistory(
  store: ArchiveStore,
  identity: ArchiveIdentity,
  { number, runId, events, bytes }: ArchivedHistory & { readonly number: number },
): Promise<WrittenHistory> {
  const written = await writeFile(store, archiveFolder(identity), { file: historyFile(number), bytes });
  return { runId, events, written };
}

/** Returns the leaf of an archive, which fixes every byte of it. */
export const leafOf = (folder: string, job: ArchivedJob, bytes: Uint8Array): LogLeaf => ({
  schema: LEAF_SCHEMA,
  folder,
  workflowId: job.workflowId,
  firstRunId: job.firstRunId,
  job: sha256(bytes),
  ledger: job.ledger,
});

/**
 * Writes a job's archive and returns its leaf. job.json is written last and makes the archive whole: until then it counts
 * as none, and may be written again, by several at once. If another one was faster, returns the leaf of its archive.
 * `seal`: proves who wrote it until the log has its leaf; with it, throws `ForeignArchiveError` if another writer was faster.
 */
export async function writeArchive(
  store: ArchiveStore,
  contents: ArchiveContents,
  seal?: ArchiveSeal,
): Promise<LogLeaf> {
  const folder = archiveFolder(contents.job);
  const runs = await writtenHistories(store, contents);
  const others: WrittenFile[] = [];
  for (const content of await filesOfArchive(contents)) others.push(await writeFile(store, folder, content));
  const unsealed = jobWith(contents, runs, others);
  const job = seal ? sealedJob(seal, unsealed) : unsealed;
  await writeFinders(store, folder, contents.job);
  const mine = Buffer.from(canonicalJson(job));
  const key = `${folder}/${JOB_FILE}`;
  const isCreated = await store.create(key, mine);
  const bytes = isCreated ? mine : ((await store.read(key)) ?? mine);
  const written = JSON.parse(Buffer.from(bytes).toString('utf8')) as ArchivedJob;
  if (!isCreated && seal && !isSealedJob(seal, written, folder))
    throw new ForeignArchiveError(store.refOf(folder));
  await removeOthers(store, folder, written);
  return leafOf(folder, written, bytes);
}

async function writtenHistories(
  store: ArchiveStore,
  { job, histories }: ArchiveContents,
): Promise<WrittenHistory[]> {
  const written: WrittenHistory[] = [];
  for (const [index, history] of histories.entries())
    written.push(
      'written' in history ? history : await writeHistory(store, job, { ...history, number: index + 1 }),
    );
  return written;
}

interface Content {
  readonly file: string;
  readonly bytes: Uint8Array;
}

async function filesOfArchive({ job, entries, evidence, pods }: ArchiveContents): Promise<Content[]> {
  const podLines = pods.flatMap((record) => record.pods).map((pod) => canonicalJson(pod));
  return [
    { file: LEDGER_FILE, bytes: await gzippedLines(chainOf(job, entries).lines) },
    ...(evidence.length
      ? [{ file: EVIDENCE_FILE, bytes: await gzippedLines(evidence.map((record) => canonicalJson(record))) }]
      : []),
    ...(podLines.length ? [{ file: PODS_FILE, bytes: await gzippedLines(podLines) }] : []),
  ];
}

/** A file of an archive, under the name that it was given. */
interface WrittenFile extends ArchivedFile {
  readonly name: string;
}

/** What an unfinished archive has under this name may be of use to the one who wrote it: takes another name then. */
async function writeFile(
  store: ArchiveStore,
  folder: string,
  { file, bytes }: Content,
): Promise<WrittenFile> {
  const hash = sha256(bytes);
  const content = { sha256: hash, bytes: bytes.length };
  if (await store.create(`${folder}/${file}`, bytes)) return { name: file, ...content };
  const found = await store.read(`${folder}/${file}`);
  if (found && sha256(found) === hash) return { name: file, ...content };
  const other = file.replace('.', `-${hash.slice(0, 8)}.`);
  await store.create(`${folder}/${other}`, bytes);
  return { name: other, ...content };
}

function jobWith(
  { job, entries }: ArchiveContents,
  histories: readonly WrittenHistory[],
  others: readonly WrittenFile[],
): ArchivedJob {
  const runs = histories.map(({ runId, events, written }) => ({ runId, events, file: written.name }));
  const all = [...histories.map(({ written }) => written), ...others];
  const files = all.map(({ name, ...file }) => [name, file] as const);
  return {
    ...job,
    schema: ARCHIVE_SCHEMA,
    ledger: chainOf(job, entries).head,
    runs,
    files: Object.fromEntries(files),
  };
}

async function writeFinders(store: ArchiveStore, folder: string, job: ArchiveContents['job']): Promise<void> {
  const content = Buffer.from(`${folder}\n`);
  await store.create(nameKey(job), content);
  if (job.workflowId !== workflowIdOf(job)) await store.create(idKey(job.workflowId, job), content);
}

/** Removes what others have left who could not finish. Nothing of a whole archive. */
async function removeOthers(store: ArchiveStore, folder: string, { files }: ArchivedJob): Promise<void> {
  for await (const key of store.list(`${folder}/`)) {
    const name = key.slice(folder.length + 1);
    if (name !== JOB_FILE && !(name in files)) await store.remove(key);
  }
}
