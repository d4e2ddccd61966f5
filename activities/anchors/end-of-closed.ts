import { type Client, type WorkflowExecutionDescription, WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { REASONS } from '../../contracts/reasons.ts';
import { type FinalPhase, isOutcome, wasAdmitted } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { findWorkflow, hasFirstRun } from '../../temporal/find-workflow.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import { endingOf, outcomeInFailure } from '../../temporal/recorded-outcome.ts';

interface ClosedChain {
  readonly workflowId: string;
  readonly firstRunId: string | undefined;
}

/** How a job ended, as Temporal has it. */
export interface ClosedEnd {
  /** Its workflow ended without clean-up: it was terminated, timed out or failed, or refused the job. */
  readonly isCut: boolean;
  /** The outcome that the workflow recorded; otherwise only phase, cause and time. */
  readonly status: Partial<JobStatus> & { readonly phase: FinalPhase };
}

/** Returns how a job's closed workflow ended; undefined if Temporal no longer knows it. */
export async function endOfClosed(
  temporal: Client,
  { workflowId, firstRunId }: ClosedChain,
): Promise<ClosedEnd | undefined> {
  const last = await findWorkflow(temporal, workflowId);
  if (!last) return undefined;
  // Temporal may have deleted the first run of a long job. Otherwise the handle follows its chain.
  const runId = hasFirstRun(last, firstRunId) ? last.runId : firstRunId;
  // Any user of the namespace can write the id on an anchor. Temporal does not look for what is none.
  if (runId !== undefined && !RUN_ID.test(runId)) return undefined;
  try {
    const result: unknown = await temporal.workflow.getHandle(workflowId, runId).result();
    return isOutcome(result) ? { isCut: false, status: result } : undefined;
  } catch (error) {
    if (isAboutMissingRun(error)) return undefined;
    if (!(error instanceof WorkflowFailedError)) throw error;
    return endOfFailure(error.cause, closeOf(last, runId));
  }
}

/** A UUID. */
const RUN_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function endOfFailure(cause: Error | undefined, completionTime: string | undefined): ClosedEnd {
  if (cause instanceof CancelledFailure) return { isCut: false, status: { ...CANCELLED, completionTime } };
  const outcome = outcomeInFailure(cause);
  if (outcome) return { isCut: !wasAdmitted(outcome), status: outcome };
  const { phase, reason, message } = endingOf(cause);
  const sentence = reason === 'WorkflowTerminated' ? REASONS.WorkflowTerminated.sentence : message;
  const status = { phase, state: phase, completionTime };
  return { isCut: true, status: reason ? { ...status, cause: { reason, message: sentence } } : status };
}

const CANCELLED = {
  phase: 'Stopped',
  state: 'Stopped',
  cause: { reason: 'Cancelled', message: REASONS.Cancelled.sentence },
} as const;

/** Undefined if another run took over the workflow's id since. */
const closeOf = (last: WorkflowExecutionDescription, runId: string | undefined): string | undefined =>
  last.runId === runId ? last.closeTime?.toISOString() : undefined;
