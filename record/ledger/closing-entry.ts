import { MEMO } from '../../contracts/messages.ts';
import type { LedgerCause, LedgerEntry } from '../../contracts/types.ts';
import { timeOfEvent } from '../../temporal/event-time.ts';
import { plainValueIn } from '../../temporal/plain-payload.ts';
import type { RunEvent, RunHistory } from '../../temporal/run-chain.ts';

/**
 * Returns a ledger with what Temporal did when no code of the job ran: that it closed the workflow, and before that, if
 * no worker ever started the job, its submission. `runs`: the oldest first.
 */
export function withClosingEntry(
  entries: readonly LedgerEntry[],
  runs: readonly RunHistory[],
): readonly LedgerEntry[] {
  const last = runs.at(-1)?.events?.at(-1);
  const cause = last && closingCause(last);
  if (!last || !cause) return entries;
  const first = runs[0]?.events?.[0];
  const known = entries.length === 0 && first ? [submittedEntry(first)] : entries;
  return [...known, closingEntry(known.at(-1), last, cause)];
}

function closingEntry(before: LedgerEntry | undefined, last: RunEvent, cause: Closed): LedgerEntry {
  const { seq = 0, to: from, attempt = 1, revision = 1, restarts, counts } = before ?? {};
  const why = cause.why ? `: ${cause.why}` : '';
  const message = `the workflow was ${WORDS[cause.how]}${why}`;
  return {
    seq: seq + 1,
    at: timeOfEvent(last),
    attempt,
    ...(from === undefined ? {} : { from }),
    to: 'Stopped',
    phase: 'Stopped',
    cause,
    message,
    reason: 'WorkflowTerminated',
    decided: { reason: 'WorkflowTerminated', message },
    revision,
    ...(counts ? { counts } : {}),
    ...(restarts ? { restarts } : {}),
  };
}

const WORDS = { terminated: 'terminated', 'timed out': 'ended by a timeout of Temporal' } as const;

type Closed = Extract<LedgerCause, { readonly type: 'closed' }>;

/** Returns undefined for an event that the job's own code wrote. */
function closingCause(event: RunEvent): Closed | undefined {
  const terminated = event.workflowExecutionTerminatedEventAttributes;
  if (event.workflowExecutionTimedOutEventAttributes) return { type: 'closed', how: 'timed out', who: {} };
  if (!terminated) return undefined;
  return {
    ...{ type: 'closed', how: 'terminated', who: {} },
    ...(terminated.reason ? { why: terminated.reason } : {}),
  };
}

/** The first entry of a job that no worker has ever taken up. */
function submittedEntry(start: RunEvent): LedgerEntry {
  const { fields } = start.workflowExecutionStartedEventAttributes?.memo ?? {};
  const given = plainTextIn(fields?.[MEMO.submittedBy]);
  const why = plainTextIn(fields?.[MEMO.why]);
  return {
    seq: 1,
    at: timeOfEvent(start),
    attempt: 1,
    to: 'Pending.Admitting',
    phase: 'Pending',
    cause: { type: 'submitted', who: given ? { given } : {}, ...(why ? { why } : {}) },
    message: 'a job was submitted; no worker has taken it up',
    revision: 1,
  };
}

function plainTextIn(payload: Parameters<typeof plainValueIn>[0]): string | undefined {
  const value = plainValueIn(payload);
  return typeof value === 'string' ? value : undefined;
}
