import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import { quoted } from '../../contracts/visibility-query.ts';
import { type VisibleJob, visibleJobOf } from '../../temporal/job-identity.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';

/** A job whose workflow has closed, as the visibility store knows it. */
export interface ClosedJob extends VisibleJob {
  readonly workflowId: string;
  /** The last run of the chain. */
  readonly runId: string;
  /** RFC 3339. */
  readonly closed: string;
  readonly close: 'Completed' | 'Failed' | 'Canceled' | 'Terminated' | 'TimedOut';
  readonly anchorUid?: string;
  readonly clusterId?: string;
  readonly memo: Readonly<Record<string, unknown>>;
  readonly historyLength: number;
}

/** A run whose workflow continued in another one. */
export interface ContinuedRun {
  readonly workflowId: string;
  readonly runId: string;
}

const CLOSED = {
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
} as const;
const STATUSES = Object.values(CLOSED).map(quoted).join(', ');
const PAGE = 500;

/** Returns the jobs that have closed since then, the oldest first: their retention ends first. */
export async function closedJobs(temporal: Client, since?: string): Promise<ClosedJob[]> {
  const closed = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus IN (${STATUSES})`;
  const query = since === undefined ? closed : `${closed} AND CloseTime >= ${quoted(since)}`;
  return byClose(await collect(temporal, query));
}

/** Returns the closed runs of these workflows that Temporal still has. */
export async function closedJobsOf(temporal: Client, workflowIds: readonly string[]): Promise<ClosedJob[]> {
  const found: ClosedJob[] = [];
  for (const id of workflowIds) {
    const query = `WorkflowId = ${quoted(id)} AND WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus IN (${STATUSES})`;
    found.push(...(await collect(temporal, query)));
  }
  return byClose(found);
}

/** Returns runs that continued as new and closed before then: their jobs may live, but their histories expire. */
export async function continuedRuns(temporal: Client, before: string): Promise<ContinuedRun[]> {
  const query = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus = 'ContinuedAsNew' AND CloseTime < ${quoted(before)}`;
  const runs: ContinuedRun[] = [];
  for await (const { workflowId, runId } of listWorkflows(temporal, { query, pageSize: PAGE }))
    runs.push({ workflowId, runId });
  return runs;
}

async function collect(temporal: Client, query: string): Promise<ClosedJob[]> {
  const found = new Map<string, ClosedJob>();
  for await (const info of listWorkflows(temporal, { query, pageSize: PAGE })) {
    const job = closedJobOf(info);
    if (job) found.set(job.runId, job);
  }
  return [...found.values()];
}

/** The oldest first: their retention ends first. */
export const byClose = (jobs: Iterable<ClosedJob>): ClosedJob[] =>
  [...jobs].sort((one, other) => Date.parse(one.closed) - Date.parse(other.closed));

function closedJobOf(info: WorkflowExecutionInfo): ClosedJob | undefined {
  const { workflowId, runId, closeTime, status, memo = {}, historyLength } = info;
  const close = CLOSED[status.name as keyof typeof CLOSED] as ClosedJob['close'] | undefined;
  if (!close || !closeTime) return undefined;
  return {
    ...visibleJobOf(info),
    ...{ workflowId, runId, close, memo, historyLength, closed: closeTime.toISOString() },
    anchorUid: asText(memo[MEMO.anchorUid]),
    clusterId: asText(memo[MEMO.clusterId]),
  };
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
