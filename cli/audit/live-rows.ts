import pMap from 'p-map';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { submissionIn } from '../../client/use-cases/observe/submission.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexRowsOf } from '../../record/index/index-rows.ts';
import { note } from '../print/output.ts';
import { hasCode } from '../shell/errors.ts';

/** Reading a ledger takes some requests. */
const AT_ONCE = 8;
/** Live jobs, and those that ended a moment ago. */
const MOST_JOBS = 1_000;

interface LiveScope {
  readonly filter: AuditFilter;
  readonly temporalNamespace: string;
  /** Returns which of these runs an archive has. */
  readonly archived: (runIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Returns the rows of jobs that Temporal knows and the archive does not. Warns of what it could not read. */
export async function liveRows(client: SignalboxClient, scope: LiveScope): Promise<IndexRows[]> {
  const jobs = await unarchivedJobs(client, scope);
  const reader = new LedgerReader(client);
  const now = new Date().toISOString();
  const rows = await pMap(
    jobs,
    (job) =>
      reader.read(job, (ledger) =>
        liveJobRows(job.summary, ledger, { now, temporalNamespace: scope.temporalNamespace }),
      ),
    { concurrency: AT_ONCE },
  );
  reader.warn();
  return rows;
}

interface UnarchivedJob {
  readonly summary: JobSummary;
  /** Whether no later job has its workflow id, which leads to the last one. */
  readonly isLast: boolean;
}

async function unarchivedJobs(
  client: SignalboxClient,
  { filter, archived }: LiveScope,
): Promise<readonly UnarchivedJob[]> {
  const found: UnarchivedJob[] = [];
  const seen = new Set<string>();
  // Newest first; what was submitted before `since` may have entries after it.
  for await (const summary of client.list({ namespace: filter.namespace, until: filter.until })) {
    if (!endedBefore(summary, filter.since)) found.push({ summary, isLast: !seen.has(summary.workflowId) });
    seen.add(summary.workflowId);
  }
  const known = await archived(found.map(({ summary }) => summary.runId));
  const jobs = found.filter(({ summary }) => !known.has(summary.runId));
  if (jobs.length > MOST_JOBS)
    note(
      `warning: ${jobs.length - MOST_JOBS} older jobs are not archived and are left out; narrow the question by --since, or archive them (docs/archive.md).`,
    );
  return jobs.slice(0, MOST_JOBS);
}

const endedBefore = ({ endTime }: JobSummary, time: Date | undefined): boolean =>
  time !== undefined && endTime !== undefined && Date.parse(endTime) < time.getTime();

/** Reads ledgers of live jobs, and keeps in mind which could not be read. */
class LedgerReader {
  readonly #client: SignalboxClient;
  readonly #faults: Error[] = [];
  #isWorkerAway = false;

  constructor(client: SignalboxClient) {
    this.#client = client;
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
      return rowsOf(await this.#client.job(isLast ? { workflowId } : { workflowId, runId }).history());
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#isWorkerAway ||= hasCode(error, 'WorkerAway');
      this.#faults.push(error);
      return rowsOf([]);
    }
  }

  warn(): void {
    const [first] = this.#faults;
    if (!first) return;
    const jobs = this.#faults.length === 1 ? 'a job that is' : `${this.#faults.length} jobs that are`;
    note(`warning: entries of ${jobs} not archived are left out: ${first.message}`);
  }
}

/** Returns the rows of a job that no archive has, from the list and its ledger: together they know what the index needs. */
function liveJobRows(
  summary: JobSummary,
  ledger: readonly LedgerEntry[],
  { now, temporalNamespace }: { readonly now: string; readonly temporalNamespace: string },
): IndexRows {
  const { namespace, name, kind, workflowId, runId, endTime, phase, attempt, reason } = summary;
  const job = {
    ...{ namespace, name, kind, workflowId, runId, temporalNamespace },
    // The list does not know the first one.
    firstRunId: runId,
    submitted: submissionIn(summary, ledger),
    ...(endTime === undefined ? {} : { closed: endTime }),
    status: { phase, attempt, ...(reason ? { cause: { reason } } : {}) },
  };
  return indexRowsOf(job, ledger, { now });
}
