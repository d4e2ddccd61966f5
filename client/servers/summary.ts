import type { WorkflowExecutionInfo } from '@temporalio/client';
import { MEMO } from '../../contracts/messages.ts';
import { type ParentJob, parentIn } from '../../contracts/parent-job.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { isFinal, PHASES } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { visibleJobOf } from '../../temporal/job-identity.ts';

/**
 * What the visibility store knows about a job; reading it needs no worker.
 *
 * @public
 */
export interface JobSummary {
  readonly workflowId: string;
  readonly runId: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly attempt: number;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime?: string;
  /** Who submitted it, why, and with which key, as far as that is recorded. */
  readonly submittedBy?: string;
  readonly why?: string;
  readonly key?: string;
  /** Of a job that has Failed: what its logs say of it, without what looks like a secret. */
  readonly errorLine?: string;
  /** The job that this one is a rerun of. */
  readonly rerunOf?: ParentJob;
  /** metadata.labels of the manifest. */
  readonly labels?: Readonly<Record<string, string>>;
}

export function summaryOf(info: Pick<WorkflowExecutionInfo, SummaryFields>): JobSummary {
  const { typedSearchAttributes: attributes, workflowId } = info;
  const recorded = attributes.get(SEARCH_ATTRIBUTES.phase) ?? '';
  const reason = reasonOf(info.status.name, recorded) ?? attributes.get(SEARCH_ATTRIBUTES.reason);
  const rerunOf = parentIn(info.memo);
  const labels = labelsIn(attributes.get(SEARCH_ATTRIBUTES.labels));
  return {
    workflowId,
    runId: info.runId,
    ...visibleJobOf(info),
    phase: phaseOf(info.status.name, recorded),
    ...(reason ? { reason: reason as ReasonCode } : {}),
    attempt: Number(attributes.get(SEARCH_ATTRIBUTES.attempt) ?? 0),
    startTime: info.startTime.toISOString(),
    ...(info.closeTime ? { endTime: info.closeTime.toISOString() } : {}),
    ...submissionIn(info),
    ...(rerunOf ? { rerunOf } : {}),
    ...(labels ? { labels } : {}),
  };
}

type SummaryFields =
  | 'workflowId'
  | 'runId'
  | 'status'
  | 'startTime'
  | 'closeTime'
  | 'memo'
  | 'typedSearchAttributes';

/** Jobs that were started by hand have no memo. */
function submissionIn({ memo, typedSearchAttributes }: Pick<WorkflowExecutionInfo, SummaryFields>) {
  const submittedBy = memo?.[MEMO.submittedBy] ?? typedSearchAttributes.get(SEARCH_ATTRIBUTES.submittedBy);
  const given = { submittedBy, why: memo?.[MEMO.why], key: memo?.[MEMO.key], errorLine: memo?.[MEMO.error] };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string'));
}

function labelsIn(pairs: readonly string[] | undefined): Readonly<Record<string, string>> | undefined {
  if (!pairs?.length) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/** The last recorded reason does not explain why Temporal closed the workflow. */
function reasonOf(status: string, recorded: string): ReasonCode | undefined {
  return isFinal(recorded) ? undefined : ENDED_BY_TEMPORAL[status];
}

const ENDED_BY_TEMPORAL: Readonly<Record<string, ReasonCode>> = {
  CANCELLED: 'Cancelled',
  TERMINATED: 'WorkflowTerminated',
  TIMED_OUT: 'WorkflowTerminated',
};

/** A terminated workflow could not record its outcome, so use Temporal's status. */
function phaseOf(status: string, recorded: string): Phase {
  if (isFinal(recorded)) return recorded;
  if (status === 'COMPLETED') return 'Completed';
  if (status === 'FAILED') return 'Failed';
  if (status in ENDED_BY_TEMPORAL) return 'Stopped';
  return PHASES.find((phase) => phase === recorded) ?? 'Pending';
}
