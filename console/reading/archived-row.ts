import type { JobSummary } from '../../client/servers/summary.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { JobRow } from '../../record/index/columns.ts';

/** A job of a list. */
export interface ListedJob extends JobSummary {
  /** What the archive's index says of one that Temporal no longer has. */
  readonly archived?: { readonly gpus: number; readonly restarts: number };
}

/** The columns of the index that a list shows. */
export const LISTED_COLUMNS = [
  ...(['namespace', 'name', 'kind', 'workflow_id', 'run_id', 'temporal_namespace'] as const),
  ...(['submitted_by', 'submitted', 'ended', 'archived', 'phase', 'reason'] as const),
  ...(['attempts', 'restarts', 'gpus', 'labels'] as const),
] as const;

export type ListedRow = Pick<JobRow, (typeof LISTED_COLUMNS)[number]>;

/** Returns undefined for an archive that is damaged: nothing is known of its job. */
export function listedJobOf(row: ListedRow): ListedJob | undefined {
  const { namespace, name, workflow_id: workflowId, run_id: runId, submitted, phase } = row;
  const ended = row.ended ?? row.archived;
  if (namespace === null || name === null || workflowId === null || runId === null) return undefined;
  if (submitted === null || ended === null || phase === null || !isFinal(phase as Phase)) return undefined;
  return withoutUndefined({
    ...{ workflowId, runId, namespace, name, kind: row.kind ?? '', phase: phase as Phase },
    reason: (row.reason ?? undefined) as ReasonCode | undefined,
    attempt: row.attempts ?? 0,
    startTime: submitted.toISOString(),
    endTime: ended.toISOString(),
    submittedBy: row.submitted_by ?? undefined,
    labels: row.labels === null ? undefined : JSON.parse(row.labels),
    archived: { gpus: row.gpus ?? 0, restarts: row.restarts ?? 0 },
  });
}
