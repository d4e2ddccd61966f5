import { gpusOf, isGpu } from '../../contracts/gpus.ts';
import { classOfReason } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerCause, LedgerEntry, LedgerWho } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';
import { asFields } from '../../language/fields.ts';
import { msByPhase } from '../facts/accounts.ts';
import { type Course, courseOf } from '../facts/course.ts';
import { intervalsOf } from '../facts/intervals.ts';
import { type BegunRestarts, restartsOf } from '../facts/restarts.ts';
import { dateOf, ms } from '../facts/times.ts';
import { type Wait, waitingForOf, waitsOf } from '../facts/waits.ts';
import { revisionRequests } from '../ledger/revision-requests.ts';
import { jobUsesOf } from '../uses/job-uses.ts';
import type { RestartFact } from '../uses/restart-causes.ts';
import type { Use } from '../uses/uses.ts';
import type { IndexRows, JobRow } from './columns.ts';
import type { IndexedJob, IndexPlace } from './indexed-job.ts';

/** Returns the rows of a job. `now` is RFC 3339, for a job that has not closed. */
export function indexRowsOf(
  job: IndexedJob,
  ledger: readonly LedgerEntry[],
  at: { readonly place?: IndexPlace; readonly now?: string },
): IndexRows {
  const until = Date.parse(job.closed ?? at.now ?? job.submitted.at);
  const waits = waitsOf(ledger, until);
  return {
    jobs: [jobRowOf(job, { ledger, waits, until, place: at.place })],
    entries: entryRowsOf(job, { ledger, waits, until, leaf: at.place?.leaf }),
  };
}

interface LedgerFacts {
  readonly ledger: readonly LedgerEntry[];
  readonly waits: readonly Wait[];
  readonly until: number;
  readonly leaf?: number;
}

/** Returns the rows of a job's ledger in the table `entries`. */
function entryRowsOf(job: IndexedJob, { ledger, waits, until, leaf }: LedgerFacts) {
  const waitSeconds = new Map(waits.map(({ seq, from, to }) => [seq, (to - from) / 1000]));
  const restarts = restartsOf(ledger);
  return intervalsOf(ledger, until).map(({ from, to, entries: [entry] }) => ({
    namespace: job.namespace,
    name: job.name,
    kind: job.kind,
    workflow_id: job.workflowId,
    first_run_id: job.firstRunId,
    ...stepOf(entry),
    ...askedOf(entry.cause),
    ...endedOf(entry.cause),
    ...aboutOf(entry),
    ...restartOf(entry, restarts.get(entry.seq)),
    waiting_for: waitingForOf(entry) ?? null,
    wait_seconds: waitSeconds.get(entry.seq) ?? null,
    duration_seconds: (to - from) / 1000,
    leaf: leaf ?? null,
  }));
}

const stepOf = (entry: LedgerEntry) => ({
  seq: entry.seq,
  time: dateOf(entry.at),
  attempt: entry.attempt,
  from_state: entry.from ?? null,
  to_state: entry.to,
  phase: entry.phase,
  cause: entry.cause.type,
  reason: entry.reason ?? null,
  message: entry.message,
});

/** A restart that is not counted, e.g. as its pods are still being deleted, is one all the same. */
const restartOf = ({ rule }: LedgerEntry, begun: BegunRestarts | undefined) => ({
  rule: rule ?? begun?.rule ?? null,
  new_restarts: begun ? Math.max(1, begun.restarts) : null,
});

function askedOf(cause: LedgerCause) {
  const who: LedgerWho = 'who' in cause ? cause.who : {};
  return {
    request: requestOf(cause),
    asked: cause.type === 'request' && cause.asked ? canonicalJson(cause.asked) : null,
    asked_by: who.given ?? null,
    authenticated_as: who.authenticated?.name ?? null,
    identity: who.identity ?? null,
    why: ('why' in cause ? cause.why : undefined) ?? null,
    refused: (cause.type === 'request' ? cause.refused : undefined) ?? null,
  };
}

function requestOf(cause: LedgerCause): string | null {
  if (cause.type === 'submitted') return 'submit';
  if (cause.type === 'request') return cause.request;
  return cause.type === 'closed' && cause.how === 'terminated' ? 'terminate' : null;
}

const endedOf = (cause: LedgerCause) => ({
  timer: cause.type === 'timer' ? cause.timer : null,
  effect: cause.type === 'effect' ? cause.effect : null,
  effect_ended: cause.type === 'effect' ? cause.ended : null,
});

function aboutOf({ pods = [], nodes = [] }: LedgerEntry) {
  const all = new Set([...pods.flatMap(({ node }) => node ?? []), ...nodes]);
  return {
    node: pods.find(({ node }) => node !== undefined)?.node ?? nodes[0] ?? null,
    nodes: all.size ? [...all].join(',') : null,
    pod: pods[0]?.pod ?? null,
    exit_code: pods[0]?.exitCode ?? null,
  };
}

interface JobFacts {
  readonly ledger: readonly LedgerEntry[];
  readonly waits: readonly Wait[];
  /** When the workflow closed, or now, in milliseconds. */
  readonly until: number;
  readonly place?: IndexPlace;
}

/** Returns the row of a job in the table `jobs`. */
function jobRowOf(job: IndexedJob, facts: JobFacts): JobRow {
  const course = courseIn(job, facts.ledger);
  return {
    ...{ ...identityOf(job), ...outcomeOf(job, course), ...usesIn(job, facts) },
    ...{ ...timesOf(job, course, facts), ...placeOf(facts) },
  };
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

function usesIn({ manifest, labels = labelsIn(manifest) }: IndexedJob, { ledger, until }: JobFacts) {
  const { uses, restarts } = jobUsesOf(ledger, { until, manifest });
  const gpus = uses.filter(({ resource }) => isGpu(resource));
  const seconds = (use?: Use) =>
    gpus.filter((one) => use === undefined || one.use === use).reduce((sum, { ms: own }) => sum + own, 0) /
    1000;
  return {
    gpu_seconds: seconds(),
    productive_gpu_seconds: seconds('productive'),
    unknown_gpu_seconds: seconds('unknown'),
    labels: Object.keys(labels).length > 0 ? canonicalJson(labels) : null,
    device_uses: uses.length > 0 ? canonicalJson(uses) : null,
    restart_facts: restarts.length > 0 ? canonicalJson(restarts.map(withoutMessage)) : null,
  };
}

/** The entry of its `seq` has it. */
const withoutMessage = ({ message: _, ...fact }: RestartFact) => fact;

/** Values that are no texts, as in a manifest that was refused, are no labels. */
function labelsIn(manifest: unknown): Readonly<Record<string, string>> {
  const labels = asFields(asFields(asFields(manifest).metadata).labels);
  return Object.fromEntries(
    Object.entries(labels).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

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
