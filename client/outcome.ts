import { type Client, type WorkflowExecutionDescription, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { type Fault, formatFault } from '../contracts/faults.ts';
import { INVALID_MANIFEST, JOB_FAILED } from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import {
  type FinalPhase,
  isFinal,
  isOutcome,
  type JobOutcome,
  type JobStatus,
  withoutActive,
} from '../contracts/status.ts';
import type { Run } from './history.ts';
import { statusInTemporal } from './recorded-status.ts';
import { askStatus } from './status.ts';

/** How long a worker may take to report the last state of a workflow that could not record its outcome. */
const LAST_STATUS_MS = 5_000;

/** Returns the outcome of a closed run: the workflow's own result, else one derived from how Temporal closed it. */
export async function outcomeOf(client: Client, run: Run): Promise<JobOutcome> {
  try {
    const result: unknown = await client.workflow
      .getHandle(run.workflowId, run.runId, { followRuns: false })
      .result();
    if (isOutcome(result)) return result;
    return await buildOutcome(client, run, { phase: 'Completed', reason: undefined, message: '' });
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    return outcomeInCause(error.cause) ?? buildOutcome(client, run, endingOf(error.cause));
  }
}

/** The workflow failure of a failed job contains the outcome. */
function outcomeInCause(cause: Error | undefined): JobOutcome | undefined {
  if (!(cause instanceof ApplicationFailure)) return undefined;
  const [first, second] = cause.details ?? [];
  if (cause.type === JOB_FAILED && isOutcome(first)) return first;
  if (cause.type !== INVALID_MANIFEST || !isOutcome(second)) return undefined;
  return { ...second, cause: { reason: 'InvalidManifest', message: faultsIn(cause) } };
}

interface Ending {
  readonly phase: FinalPhase;
  readonly reason: ReasonCode | undefined;
  readonly message: string;
}

function endingOf(cause: Error | undefined): Ending {
  if (cause instanceof CancelledFailure) return stopped('Cancelled', 'The workflow was cancelled.');
  if (cause instanceof TerminatedFailure) return stopped('WorkflowTerminated', cause.message);
  if (cause instanceof TimeoutFailure) return stopped('WorkflowTerminated', 'A Temporal timeout ended it.');
  if (cause instanceof ApplicationFailure && cause.type === INVALID_MANIFEST) {
    return { phase: 'Failed', reason: 'InvalidManifest', message: faultsIn(cause) };
  }
  return { phase: 'Failed', reason: 'EngineFault', message: cause?.message ?? 'The workflow failed.' };
}

const stopped = (reason: ReasonCode, message: string): Ending => ({ phase: 'Stopped', reason, message });

function faultsIn(failure: ApplicationFailure): string {
  const faults = failure.details?.[0];
  return Array.isArray(faults) ? (faults as Fault[]).map(formatFault).join('; ') : failure.message;
}

/** Builds the outcome of a workflow that could not record it. */
async function buildOutcome(
  client: Client,
  run: Run,
  { phase, reason, message }: Ending,
): Promise<JobOutcome> {
  const described = await client.workflow.getHandle(run.workflowId, run.runId).describe();
  const last = await lastStatus(client, run, described);
  if (isFinal(last.phase) && last.phase === phase) return { ...last, phase };
  const cause = reason ? { reason, message } : undefined;
  const at = described.closeTime?.toISOString() ?? new Date().toISOString();
  const end = { at, phase, state: phase, attempt: last.attempt, cause: message || phase };
  return {
    ...last,
    ...{ phase, state: phase, cause },
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
