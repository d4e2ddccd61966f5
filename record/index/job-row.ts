import { gpusOf } from '../../contracts/gpus.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { classOfReason } from '../../contracts/reasons.ts';
import { type Cause, isFinal, type JobStatus, type Phase } from '../../contracts/status.ts';
import { revisionRequests } from '../ledger/revision-requests.ts';
import type { JobRow } from './columns.ts';
import type { IndexedJob, IndexPlace } from './indexed-job.ts';
import { dateOf, secondsBetween } from './times.ts';
import type { Wait } from './waits.ts';

interface JobFacts {
  readonly ledger: readonly LedgerEntry[];
  readonly waits: readonly Wait[];
  /** When the workflow closed, or now, in milliseconds. */
  readonly until: number;
  readonly place?: IndexPlace;
}

/** Returns the row of a job in the table `jobs`. */
export function jobRowOf(job: IndexedJob, facts: JobFacts): JobRow {
  return { ...identityOf(job), ...outcomeOf(job), ...timesOf(job, facts), ...placeOf(facts) };
}

const identityOf = (job: IndexedJob) => ({
  namespace: job.namespace,
  name: job.name,
  kind: job.kind,
  workflow_id: job.workflowId,
  first_run_id: job.firstRunId,
  run_id: job.runId,
  temporal_namespace: job.temporalNamespace,
  rerun_of: job.submitted.rerunOf?.workflowId ?? null,
  submitted_by: job.submitted.who.given ?? null,
  authenticated_as: job.submitted.who.authenticated?.name ?? null,
  identity: job.submitted.who.identity ?? null,
  why: job.submitted.why ?? null,
});

function outcomeOf(job: IndexedJob) {
  const { status } = job;
  const { phase, cause } = endOf(job);
  return {
    phase,
    reason: cause?.reason ?? null,
    class: classOfReason(cause?.reason) ?? null,
    rule: cause?.rule ?? null,
    message: cause?.message ?? null,
    attempts: status.attempt,
    restarts: status.restarts,
    node: cause?.node ?? null,
    pod: cause?.pod ?? null,
    exit_code: cause?.exitCode ?? null,
    gpus: gpusOf(job.manifest),
  };
}

/** A terminated workflow could not record how it ended. */
function endOf({ status, close }: IndexedJob): { phase: Phase; cause?: Partial<Cause> } {
  if (close === undefined || isFinal(status.phase)) return { phase: status.phase, cause: status.cause };
  return BY_CLOSE[close] ?? { phase: status.phase, cause: status.cause };
}

const BY_CLOSE: Readonly<Record<string, { phase: Phase; cause?: Partial<Cause> }>> = {
  Completed: { phase: 'Completed' },
  Failed: { phase: 'Failed' },
  Canceled: { phase: 'Stopped', cause: { reason: 'Cancelled' } },
  Terminated: { phase: 'Stopped', cause: { reason: 'WorkflowTerminated' } },
  TimedOut: { phase: 'Stopped', cause: { reason: 'WorkflowTerminated' } },
};

function timesOf(job: IndexedJob, { ledger, waits, until }: JobFacts) {
  const { status, submitted, closed, archivedAt } = job;
  const ended = dateOf(endTimeOf(status)) ?? dateOf(closed);
  const started = dateOf(status.startTime);
  const begin = Date.parse(submitted.at);
  const end = ended?.getTime() ?? until;
  const longest = waits.reduce<Wait | undefined>(
    (most, wait) => (wait.seconds > (most?.seconds ?? 0) ? wait : most),
    undefined,
  );
  return {
    submitted: dateOf(submitted.at),
    started,
    ended,
    archived: dateOf(archivedAt),
    wait_seconds: Math.max(0, (started?.getTime() ?? end) - begin) / 1000,
    run_seconds: secondsIn('Running', ledger, until),
    total_seconds: Math.max(0, end - begin) / 1000,
    longest_wait_seconds: longest?.seconds ?? null,
    longest_wait_for: longest?.waitingFor ?? null,
  };
}

const endTimeOf = (status: JobStatus): string | undefined =>
  isFinal(status.phase) ? status.completionTime : undefined;

function secondsIn(phase: Phase, ledger: readonly LedgerEntry[], until: number): number {
  const spans = ledger.flatMap((entry, index) =>
    entry.phase === phase ? [secondsBetween(Date.parse(entry.at), ledger[index + 1], until) * 1000] : [],
  );
  return Math.round(spans.reduce((sum, ms) => sum + ms, 0)) / 1000;
}

const placeOf = ({ ledger, place }: JobFacts) => ({
  revisions: revisionRequests(ledger).at(-1)?.madeRevision ?? 1,
  entries: ledger.length,
  damage: null,
  folder: place?.folder ?? null,
  leaf: place?.leaf ?? null,
});
