import type { LedgerCause, LedgerEntry, LedgerWho } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';
import { intervalsOf } from '../facts/intervals.ts';
import { type BegunRestarts, restartsOf } from '../facts/restarts.ts';
import { dateOf } from '../facts/times.ts';
import { type Wait, waitingForOf } from '../facts/waits.ts';
import type { EntryRow } from './columns.ts';
import type { IndexedJob } from './indexed-job.ts';

interface LedgerFacts {
  readonly ledger: readonly LedgerEntry[];
  readonly waits: readonly Wait[];
  readonly until: number;
  readonly leaf?: number;
}

/** Returns the rows of a job's ledger in the table `entries`. */
export function entryRowsOf(job: IndexedJob, { ledger, waits, until, leaf }: LedgerFacts): EntryRow[] {
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
