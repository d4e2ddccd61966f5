import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { ReasonCode } from '../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { isFinal, PHASES, type Phase } from '../contracts/status.ts';

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
  readonly reason?: string;
  readonly attempt: number;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime?: string;
}

export function summaryOf(info: Pick<WorkflowExecutionInfo, SummaryFields>): JobSummary {
  const { typedSearchAttributes: attributes, workflowId } = info;
  const [, namespace = '', name = workflowId] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  const recorded = attributes.get(SEARCH_ATTRIBUTES.phase) ?? '';
  const reason = reasonOf(info.status.name, recorded) ?? attributes.get(SEARCH_ATTRIBUTES.reason);
  return {
    workflowId,
    runId: info.runId,
    kind: attributes.get(SEARCH_ATTRIBUTES.kind) ?? 'unknown',
    name: attributes.get(SEARCH_ATTRIBUTES.name) ?? name,
    namespace: attributes.get(SEARCH_ATTRIBUTES.namespace) ?? namespace,
    phase: phaseOf(info.status.name, recorded),
    ...(reason ? { reason } : {}),
    attempt: Number(attributes.get(SEARCH_ATTRIBUTES.attempt) ?? 0),
    startTime: info.startTime.toISOString(),
    ...(info.closeTime ? { endTime: info.closeTime.toISOString() } : {}),
  };
}

type SummaryFields = 'workflowId' | 'runId' | 'status' | 'startTime' | 'closeTime' | 'typedSearchAttributes';

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
