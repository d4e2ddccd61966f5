import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { ReasonCode } from '../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { isFinal, PHASES, type Phase } from '../contracts/status.ts';

/** What the visibility store knows of a job; no worker is needed to read it. */
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

/** A workflow that has not ended; one that is paused goes on some time. */
export const isLive = ({ status }: Pick<WorkflowExecutionInfo, 'status'>) =>
  status.name === 'RUNNING' || status.name === 'PAUSED';

/** What it recorded last is why it was where it was, not why it ended. */
function reasonOf(status: string, recorded: string): ReasonCode | undefined {
  return isFinal(recorded) ? undefined : ENDED_BY_TEMPORAL[status];
}

const ENDED_BY_TEMPORAL: Readonly<Record<string, ReasonCode>> = {
  CANCELLED: 'Cancelled',
  TERMINATED: 'WorkflowTerminated',
  TIMED_OUT: 'WorkflowTerminated',
};

/** The engine had no chance to record how a terminated workflow ended, so Temporal's own word counts. */
function phaseOf(status: string, recorded: string): Phase {
  if (isFinal(recorded)) return recorded;
  if (status === 'COMPLETED') return 'Completed';
  if (status === 'FAILED') return 'Failed';
  if (status in ENDED_BY_TEMPORAL) return 'Stopped';
  return PHASES.find((phase) => phase === recorded) ?? 'Pending';
}
