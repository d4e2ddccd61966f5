import { createHash } from 'node:crypto';

/**
 * Where an archive's files are in its store. Each key is relative to the archive's place, which is a directory or a prefix
 * in a bucket.
 *
 *     jobs/namespace=ml/day=2026-11-23/train-5f0c…/job.json          ArchivedJob, canonical JSON
 *                                                 /ledger.jsonl.gz   lines of chainOf()
 *                                                 /history-1.json.gz protobuf JSON of each run
 *                                                 /evidence.jsonl.gz evidence records, one a line
 *                                                 /pods.jsonl.gz     RecordedPod, one a line
 *     names/namespace=ml/train/2026-11-23_5f0c…                      finds an archive by its job's name
 *     ids/nightly_2f7/2026-11-23_5f0c…                               the same by a workflow id that is not the default
 *     runs/5f0c….signed                                              a run that continued as new, until its job ends
 *     log/…                                                          the transparency log
 *     index/…                                                        Parquet
 *
 * A file has another name, e.g. `evidence-0a1b2c3d.jsonl.gz`, if an archiver that could not finish the archive left one: the
 * names in job.json are those that count.
 */
export const JOB_FILE = 'job.json';
export const LEDGER_FILE = 'ledger.jsonl.gz';
export const EVIDENCE_FILE = 'evidence.jsonl.gz';
export const PODS_FILE = 'pods.jsonl.gz';
export const historyFile = (number: number): string => `history-${number}.json.gz`;
export const runKey = (runId: string): string => `runs/${runId}.signed`;

export interface ArchiveIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly firstRunId: string;
  /** RFC 3339; its day (UTC) is part of the key. */
  readonly closed: string;
}

/** Returns the folder of a job's archive, without a slash at its end. */
export const archiveFolder = ({ namespace, name, firstRunId, closed }: ArchiveIdentity): string =>
  `jobs/namespace=${partOfKey(namespace)}/day=${dayOf(closed)}/${partOfKey(name)}-${firstRunId}`;

/** Returns the key that finds an archive by its job's name, without a listing of all archives. */
export const nameKey = ({ namespace, name, firstRunId, closed }: ArchiveIdentity): string =>
  `${nameFolder({ namespace, name })}${dayOf(closed)}_${firstRunId}`;

/** Returns what the name keys of a job, of a namespace, or of all begin with. */
export function nameFolder({
  namespace,
  name,
}: Partial<Pick<ArchiveIdentity, 'namespace' | 'name'>>): string {
  if (namespace === undefined) return 'names/';
  return `names/namespace=${partOfKey(namespace)}/${name === undefined ? '' : `${partOfKey(name)}/`}`;
}

/** Returns the key that finds an archive by its workflow id. The file contains the archive's folder. */
export const idKey = (workflowId: string, { firstRunId, closed }: ArchiveIdentity): string =>
  `${idFolder(workflowId)}${dayOf(closed)}_${firstRunId}`;

export const idFolder = (workflowId: string): string => `ids/${partOfKey(workflowId)}/`;

/** What a name key says. */
export interface NamedArchive {
  readonly folder: string;
  readonly day: string;
  readonly firstRunId: string;
}

const NAME_KEY = /^names\/(namespace=[^/]+)\/([^/]+)\/(\d{4}-\d{2}-\d{2})_([^/]+)$/;

/** Returns what a name key says; undefined if it is none. */
export function parseNameKey(key: string): NamedArchive | undefined {
  const [, namespace, part, day = '', firstRunId = ''] = NAME_KEY.exec(key) ?? [];
  if (part === undefined) return undefined;
  return { folder: `jobs/${namespace}/day=${day}/${part}-${firstRunId}`, day, firstRunId };
}

const dayOf = (closed: string): string => closed.slice(0, 10);

/** Longer than any name that Kubernetes accepts in full. */
const LONGEST = 100;

/**
 * Returns a name as a part of a key. A job that was never admitted may have any name, so characters that keys do not have
 * are written in hex (`_20_` for a space), and a long name ends in its SHA-256.
 */
function partOfKey(name: string): string {
  const safe = name
    .replaceAll(/[^A-Za-z0-9.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)
    .replace(/^[^A-Za-z0-9_]/, (character) => `_${character.charCodeAt(0).toString(16)}_`);
  if (safe.length <= LONGEST && safe !== '') return safe;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${safe.slice(0, LONGEST)}_${hash}`;
}
