import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { isFinal, type JobOutcome, withoutActive } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { readClosedRun } from '../../temporal/closed-run.ts';
import { endingOf, type WorkflowEnding } from '../../temporal/recorded-outcome.ts';
import { askStatus } from './ask-status.ts';
import type { Run } from './follow-runs.ts';
import { statusInTemporal } from './recorded-status.ts';

/** How long a worker may take to report the last state of a workflow that could not record its outcome. */
const LAST_STATUS_MS = 5_000;

/** Returns the outcome of a closed run: the workflow's own result, else one derived from how Temporal closed it. */
export async function outcomeOf(client: Client, run: Run): Promise<JobOutcome> {
  const { outcome, failure } = await readClosedRun(client, run);
  if (outcome) return outcome;
  return buildOutcome(client, run, failure ? endingOf(failure.cause) : COMPLETED);
}

const COMPLETED: WorkflowEnding = { phase: 'Completed', reason: undefined, message: '' };

/** Builds the outcome of a workflow that could not record it. */
async function buildOutcome(
  client: Client,
  run: Run,
  { phase, reason, message }: WorkflowEnding,
): Promise<JobOutcome> {
  const described = await client.workflow.getHandle(run.workflowId, run.runId).describe();
  const last = await lastStatus(client, run, described);
  if (isFinal(last.phase) && last.phase === phase) return { ...last, phase };
  const cause = reason ? { reason, message } : undefined;
  const at = described.closeTime?.toISOString() ?? new Date().toISOString();
  const end = { at, phase, state: phase, attempt: last.attempt, cause: message || phase };
  return {
    ...last,
    ...{ phase, state: phase, since: at, cause },
    completionTime: last.completionTime ?? at,
    replicaStatuses: withoutActive(last.replicaStatuses),
    timeline: [...last.timeline, end],
  };
}

/** A cancelled or terminated workflow still answers queries if a worker can replay it. */
async function lastStatus(
  client: Client,
  run: Run,
  described: WorkflowExecutionDescription,
): Promise<JobStatus> {
  try {
    return await askStatus(client, run, LAST_STATUS_MS);
  } catch {
    return { ...statusInTemporal(described), phase: 'Pending', state: 'Pending' };
  }
}
