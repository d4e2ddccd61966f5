import type { ParentJob } from '../../contracts/parent-job.ts';
import type { JobStatus, LedgerWho } from '../../contracts/types.ts';
import type { LedgerHead } from '../ledger/chain.ts';

/** The version of an archive's form. A reader refuses a later one. */
export const ARCHIVE_SCHEMA = 'signalbox.dev/archive/v1';

/** The file `job.json` of an archive, in canonical JSON: what is known of a job, and the SHA-256 of every other file. */
export interface ArchivedJob {
  readonly schema: typeof ARCHIVE_SCHEMA;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  /** The last run of the workflow's chain of runs. */
  readonly runId: string;
  readonly temporalNamespace: string;
  readonly anchorUid?: string;
  readonly submitted: {
    readonly at: string;
    readonly who: LedgerWho;
    readonly why?: string;
    readonly key?: string;
    /** The job that this one is a rerun of; from the memo, see `parentIn`. */
    readonly rerunOf?: ParentJob;
  };
  /** When the workflow closed, RFC 3339. */
  readonly closed: string;
  /** How the workflow closed: a terminated one has no outcome. */
  readonly close: 'Completed' | 'Failed' | 'Canceled' | 'Terminated' | 'TimedOut';
  /** The job's last status. */
  readonly status: JobStatus;
  /** The manifest as submitted. */
  readonly manifest: unknown;
  /** What each amendment changed; the manifest as submitted is revision 1 and not in the list. */
  readonly revisions: readonly ArchivedRevision[];
  /** The policy that was in effect at the end. */
  readonly policy?: unknown;
  readonly ledger: LedgerHead;
  /** The runs of the workflow, the oldest first; each has its history in a file. */
  readonly runs: readonly ArchivedRun[];
  /** What is missing, e.g. the history of a run whose retention was over. */
  readonly missing?: readonly string[];
  /** All other files of the archive, by name. */
  readonly files: Readonly<Record<string, ArchivedFile>>;
  /** RFC 3339. */
  readonly archivedAt: string;
  readonly engine: { readonly signalbox: string };
  /** Of all the rest, by the keys of the archive's log: lines of a C2SP signed note. The leaf of the log covers them, too. */
  readonly signatures?: readonly string[];
}

/**
 * What an amendment made of a job.
 *
 * @public
 */
export interface ArchivedRevision {
  readonly number: number;
  readonly at: string;
  readonly who: LedgerWho;
  readonly why?: string;
  readonly replicas?: Readonly<Record<string, number>>;
  readonly policy?: unknown;
}

interface ArchivedRun {
  readonly runId: string;
  readonly events: number;
  /** Name of the file, e.g. `history-1.json.gz`. */
  readonly file: string;
}

export interface ArchivedFile {
  /** Of the stored bytes, in hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Returns the ids of all known runs: the last one, the first one, then the others. */
export const runIdsOf = ({ runId, firstRunId, runs }: ArchivedJob): readonly string[] => [
  ...new Set([runId, firstRunId, ...runs.map((run) => run.runId)]),
];
