import type { JobSummary } from '../../client/servers/summary.ts';
import { submissionIn } from '../../client/use-cases/observe/submission.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexRowsOf } from '../../record/index/index-rows.ts';

/** Returns the rows of a job that no archive has, from the list and its ledger: together they know what the index needs. */
export function liveJobRows(
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
