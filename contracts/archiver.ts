/** The workflow that archives ended jobs, one for each installation, and its messages. */
export const ARCHIVER = 'archiver';
export const archiverIdOf = (installation: string): string => `${ARCHIVER}/${installation}`;

/** Update: archive these jobs now. Argument: `ArchiveRequest`; answers with the request's number. */
export const ARCHIVE_UPDATE = 'archive';
/** Query: an `ArchiverReport`. */
export const ARCHIVER_QUERY = 'archiver';

/**
 * Which ended jobs to archive, if they are not yet: these workflows, all that closed since then (RFC 3339), all that closed
 * in so many milliseconds up to now by Temporal's clock, or all.
 *
 * @public
 */
export type ArchiveRequest =
  | { readonly workflowIds: readonly string[] }
  | { readonly since: string }
  | { readonly forMs: number }
  | { readonly all: true };

/** A request whose time is one of Temporal's clock. */
export type TimedRequest = Exclude<ArchiveRequest, { readonly forMs: number }>;

/**
 * A job that could not be archived yet.
 *
 * @public
 */
export interface ArchiveFailure {
  readonly workflowId: string;
  /** The last run of the job. */
  readonly runId: string;
  readonly why: string;
}

/**
 * How far a request is.
 *
 * @public
 */
export interface ArchiveProgress {
  readonly number: number;
  readonly state: 'waiting' | 'running' | 'done';
  /** Written now, and found in the archive. */
  readonly archived: number;
  readonly known: number;
  /** Jobs that it is about, once they are known. */
  readonly of?: number;
  /** The first of them. */
  readonly failed: readonly ArchiveFailure[];
}

export interface ArchiverReport {
  /** The latest requests. */
  readonly requests: readonly ArchiveProgress[];
  /** What the last activity said; the present one says it with its heartbeats. */
  readonly beat?: ArchiverBeat;
}

/**
 * What the archiver's activity says of itself: with each heartbeat, and to its successor.
 *
 * @public
 */
export interface ArchiverBeat {
  /** Jobs that closed before are in the archive, or wait for it. By Temporal's clock, RFC 3339. */
  readonly since?: string;
  /** When all closed jobs are looked at again. */
  readonly fullRoundAfter?: string;
  /** Since the archiver was started. */
  readonly archived: number;
  /** Ended jobs that are not in the archive yet, and since when the first of them waits. */
  readonly waiting: number;
  readonly oldestWaiting?: string;
  /** Of these: less than a quarter of the retention time is left. */
  readonly endangered: number;
  /** Why nothing, or not everything, could be archived in the last round. */
  readonly problem?: string;
  /** Whether it is nothing: the store, not a job, is the problem. */
  readonly isStuck?: boolean;
  /** Jobs that could not be archived and are tried again, each without delaying others. */
  readonly failures: number;
  /** The first of them. */
  readonly failed: readonly ArchiveFailure[];
  /** The checkpoint of the log that was signed last: the log must continue it. */
  readonly signed?: string;
  /** When this was said, by Temporal's clock, RFC 3339. */
  readonly at: string;
}

/**
 * A look for ended jobs that is older than that is an alarm. While a worker restarts, or another one takes over from one
 * that was killed, it gets up to 90 s old.
 */
export const LOOK_IS_OLD_MS = 3 * 60_000;

export const FIRST_BEAT: ArchiverBeat = {
  archived: 0,
  waiting: 0,
  endangered: 0,
  failures: 0,
  failed: [],
  at: new Date(0).toISOString(),
};
