import pMap from 'p-map';
import type { LedgerEntry } from '../../../contracts/types.ts';
import type { AuditFilter } from '../../../record/audit/audit-filter.ts';
import type { IndexRows } from '../../../record/index/columns.ts';
import { indexRowsOf } from '../../../record/index/index-rows.ts';
import { WorkerAwayError } from '../../errors/errors.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';
import { listedJobs } from '../find/find-jobs.ts';
import { jobLedger } from '../observe/follow-job.ts';
import { submissionIn } from '../observe/submission.ts';

/** Reading a ledger takes some requests. */
const AT_ONCE = 8;
/** Live jobs, and those that ended a moment ago. */
const MOST_JOBS = 1_000;

/** Which jobs, and what is told beside them. */
export interface UnarchivedScope {
  readonly filter: Pick<AuditFilter, 'namespace' | 'since' | 'until'>;
  /** Returns which of these runs an archive has. */
  readonly archived: (runIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Called with what could not be read. */
  readonly warn: (message: string) => void;
}

/** Returns the rows of jobs that Temporal knows and the archive does not. */
export async function unarchivedRows(ports: ClientPorts, scope: UnarchivedScope): Promise<IndexRows[]> {
  const jobs = await unarchivedJobs(ports, scope);
  const reader = new LedgersReader(ports);
  const { namespace: temporalNamespace } = ports.temporal.options;
  const now = new Date().toISOString();
  const rows = await pMap(
    jobs,
    (job) => reader.read(job, (ledger) => liveJobRows(job.summary, ledger, { now, temporalNamespace })),
    { concurrency: AT_ONCE },
  );
  reader.warn(scope.warn);
  return rows;
}

interface UnarchivedJob {
  readonly summary: JobSummary;
  /** Whether no later job has its workflow id, which leads to the last one. */
  readonly isLast: boolean;
}

async function unarchivedJobs(
  ports: ClientPorts,
  { filter, archived, warn }: UnarchivedScope,
): Promise<readonly UnarchivedJob[]> {
  const found: UnarchivedJob[] = [];
  const seen = new Set<string>();
  // Newest first; what was submitted before `since` may have entries after it.
  for await (const summary of listedJobs(ports, { namespace: filter.namespace, until: filter.until }, {})) {
    if (!endedBefore(summary, filter.since)) found.push({ summary, isLast: !seen.has(summary.workflowId) });
    seen.add(summary.workflowId);
  }
  const known = await archived(found.map(({ summary }) => summary.runId));
  const jobs = found.filter(({ summary }) => !known.has(summary.runId));
  if (jobs.length > MOST_JOBS)
    warn(
      `${jobs.length - MOST_JOBS} older jobs are not archived and are left out; narrow the question by --since, or archive them (docs/archive.md).`,
    );
  return jobs.slice(0, MOST_JOBS);
}

const endedBefore = ({ endTime }: JobSummary, time: Date | undefined): boolean =>
  time !== undefined && endTime !== undefined && Date.parse(endTime) < time.getTime();

/** Reads ledgers of live jobs, and keeps in mind which could not be read. */
class LedgersReader {
  readonly #ports: ClientPorts;
  readonly #faults: Error[] = [];
  #isWorkerAway = false;

  constructor(ports: ClientPorts) {
    this.#ports = ports;
  }

  /**
   * Makes rows of a ledger; of one without entries if it cannot. After one timeout without a worker, asks no more: each job
   * would time out.
   */
  async read<T>(
    { summary, isLast }: UnarchivedJob,
    rowsOf: (ledger: readonly LedgerEntry[]) => T,
  ): Promise<T> {
    const { workflowId, runId } = summary;
    try {
      if (this.#isWorkerAway) throw this.#faults[0];
      return rowsOf(await jobLedger(this.#ports, isLast ? { workflowId } : { workflowId, runId }, {}));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#isWorkerAway ||= error instanceof WorkerAwayError;
      this.#faults.push(error);
      return rowsOf([]);
    }
  }

  warn(warn: UnarchivedScope['warn']): void {
    const [first] = this.#faults;
    if (!first) return;
    const jobs = this.#faults.length === 1 ? 'a job that is' : `${this.#faults.length} jobs that are`;
    warn(`entries of ${jobs} not archived are left out: ${first.message}`);
  }
}

/** Returns the rows of a job that no archive has, from the list and its ledger: together they know what the index needs. */
function liveJobRows(
  summary: JobSummary,
  ledger: readonly LedgerEntry[],
  { now, temporalNamespace }: { readonly now: string; readonly temporalNamespace: string },
): IndexRows {
  const { namespace, name, kind, workflowId, runId, endTime, phase, attempt, reason, labels } = summary;
  const job = {
    ...{ namespace, name, kind, workflowId, runId, temporalNamespace },
    // The list does not know the first one.
    firstRunId: runId,
    submitted: submissionIn(summary, ledger),
    ...(labels ? { labels } : {}),
    ...(endTime === undefined ? {} : { closed: endTime }),
    status: { phase, attempt, ...(reason ? { cause: { reason } } : {}) },
  };
  return indexRowsOf(job, ledger, { now });
}
