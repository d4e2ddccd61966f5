import type { JobSummary } from '../../client/summary.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import type { JobStatus } from '../../contracts/status.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import { indexRowsOf } from '../../record/index/index-rows.ts';
import { submissionIn } from '../submission.ts';

/** Returns the rows of a job that no archive has, from the list and its ledger: together they know what the index needs. */
export function liveJobRows(
  summary: JobSummary,
  ledger: readonly LedgerEntry[],
  { now, temporalNamespace }: { readonly now: string; readonly temporalNamespace: string },
): IndexRows {
  const { namespace, name, kind, workflowId, runId, endTime } = summary;
  const job = {
    ...{ namespace, name, kind, workflowId, runId, temporalNamespace },
    // The list does not know the first one.
    firstRunId: runId,
    submitted: submissionIn(summary, ledger),
    ...(endTime === undefined ? {} : { closed: endTime }),
    status: statusIn(summary, ledger),
  };
  return indexRowsOf(job, ledger, { now });
}

function statusIn(summary: JobSummary, ledger: readonly LedgerEntry[]): JobStatus {
  const { kind, name, namespace, phase, endTime } = summary;
  const last = ledger.at(-1);
  const startTime = ledger.find((entry) => entry.phase === 'Running')?.at;
  return {
    ...{ kind, name, namespace, phase, state: last?.to ?? phase, attempt: last?.attempt ?? summary.attempt },
    ...{ restarts: last?.restarts ?? 0, conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { completionTime: endTime }),
    ...causeIn(summary, ledger),
  };
}

/** The entry that decided has the rule, and the pod that it was about. */
function causeIn({ reason }: JobSummary, ledger: readonly LedgerEntry[]): Pick<JobStatus, 'cause'> {
  if (reason === undefined) return {};
  const entries = ledger.filter((entry) => entry.reason === reason);
  const decision = entries.findLast(({ rule }) => rule !== undefined) ?? entries[0];
  const about = entries.findLast(({ pods = [] }) => pods.length > 0)?.pods?.[0];
  return {
    cause: {
      ...{ reason, message: decision?.message ?? '' },
      ...(decision?.rule === undefined ? {} : { rule: decision.rule }),
      ...(about ? { pod: about.pod, node: about.node, exitCode: about.exitCode } : {}),
    },
  };
}
