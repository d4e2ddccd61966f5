import { gpusOf } from '../../contracts/gpus.ts';
import { classOfReason } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { msByPhase } from '../facts/accounts.ts';
import { type Course, courseOf } from '../facts/course.ts';
import { dateOf, ms } from '../facts/times.ts';
import type { Wait } from '../facts/waits.ts';
import { revisionRequests } from '../ledger/revision-requests.ts';
import type { JobRow } from './columns.ts';
import type { IndexedJob, IndexPlace } from './indexed-job.ts';

interface JobFacts {
  readonly ledger: readonly LedgerEntry[];
  readonly waits: readonly Wait[];
  /** When the workflow closed, or now, in milliseconds. */
  readonly until: number;
  readonly place?: IndexPlace;
}

/** Returns the row of a job in the table `jobs`. */
export function jobRowOf(job: IndexedJob, facts: JobFacts): JobRow {
  const course = courseIn(job, facts.ledger);
  return { ...identityOf(job), ...outcomeOf(job, course), ...timesOf(job, course, facts), ...placeOf(facts) };
}

/** A workflow that closed without its code, e.g. because that failed, has no entry of its end. */
function courseIn({ status }: IndexedJob, ledger: readonly LedgerEntry[]): Course {
  const course = courseOf(ledger);
  if (course && (isFinal(course.phase) || !isFinal(status.phase))) return course;
  return { attempts: status.attempt, restarts: 0, ...course, phase: status.phase, cause: status.cause };
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

const outcomeOf = (job: IndexedJob, { phase, cause, attempts, restarts }: Course) => ({
  phase,
  reason: cause?.reason ?? null,
  class: classOfReason(cause?.reason) ?? null,
  rule: cause?.rule ?? null,
  message: cause?.message ?? null,
  attempts,
  restarts,
  node: cause?.node ?? null,
  pod: cause?.pod ?? null,
  exit_code: cause?.exitCode ?? null,
  gpus: gpusOf(job.manifest),
});

function timesOf(job: IndexedJob, course: Course, { ledger, waits, until }: JobFacts) {
  const { submitted, closed, archivedAt } = job;
  const begin = ms(submitted.at);
  const started = dateOf(course.ranAt);
  const ended = dateOf(course.endedAt ?? closed);
  const end = ended?.getTime() ?? until;
  const longest = waits.toSorted((a, b) => b.to - b.from - (a.to - a.from)).find(({ from, to }) => to > from);
  return {
    submitted: dateOf(submitted.at),
    started,
    ended,
    archived: dateOf(archivedAt),
    wait_seconds: Math.max(0, (started?.getTime() ?? end) - begin) / 1000,
    run_seconds: (msByPhase(ledger, until).get('Running') ?? 0) / 1000,
    total_seconds: Math.max(0, end - begin) / 1000,
    longest_wait_seconds: longest ? (longest.to - longest.from) / 1000 : null,
    longest_wait_for: longest?.reason ?? null,
  };
}

const placeOf = ({ ledger, place }: JobFacts) => ({
  revisions: revisionRequests(ledger).at(-1)?.madeRevision ?? 1,
  entries: ledger.length,
  damage: null,
  folder: place?.folder ?? null,
  leaf: place?.leaf ?? null,
});
