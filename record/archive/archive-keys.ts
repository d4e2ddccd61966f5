/**
 * Where an archive's files are in its store. Each key is relative to the archive's place, which is a directory or a prefix
 * in a bucket.
 *
 *     jobs/namespace=ml/day=2026-11-23/train-5f0c…/job.json          ArchivedJob, canonical JSON
 *                                                 /ledger.jsonl.gz   lines of chainOf()
 *                                                 /history-1.json.gz protobuf JSON of each run
 *                                                 /evidence.jsonl.gz evidence records, one a line
 *                                                 /pods.jsonl.gz     RecordedPod, one a line
 *     names/namespace=ml/train/2026-11-23_5f0c…                      empty: finds an archive by its job's name
 *     log/…                                                          the transparency log
 *     index/…                                                        Parquet
 */
export const JOB_FILE = 'job.json';
export const LEDGER_FILE = 'ledger.jsonl.gz';
export const EVIDENCE_FILE = 'evidence.jsonl.gz';
export const PODS_FILE = 'pods.jsonl.gz';
export const historyFile = (number: number): string => `history-${number}.json.gz`;

export interface ArchiveIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly firstRunId: string;
  /** RFC 3339; its day (UTC) is part of the key. */
  readonly closed: string;
}

/** Returns the folder of a job's archive, without a slash at its end. */
export const archiveFolder = ({ namespace, name, firstRunId, closed }: ArchiveIdentity): string =>
  `jobs/namespace=${namespace}/day=${closed.slice(0, 10)}/${name}-${firstRunId}`;

/** Returns the key that finds an archive by its job's name, without a listing of all archives. */
export const nameKey = ({ namespace, name, firstRunId, closed }: ArchiveIdentity): string =>
  `names/namespace=${namespace}/${name}/${closed.slice(0, 10)}_${firstRunId}`;
