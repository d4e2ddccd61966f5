import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { JOB_FAILED } from '../../contracts/messages.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { isOutcome, type JobOutcome } from '../../contracts/status.ts';
import { beganWith, findWorkflow } from '../../temporal/find-workflow.ts';
import type { Dependencies } from '../support/dependencies.ts';

export interface ClosedRun {
  readonly workflowId: string;
  readonly firstRunId: string | undefined;
}

/** An outcome; of a workflow that was cancelled only as much as Temporal keeps of it. */
export type Ending = JobOutcome | (Pick<JobOutcome, 'state' | 'cause'> & { readonly phase: 'Stopped' });

/**
 * How a job ended whose workflow has closed, by what the workflow said itself; undefined if it could not say it, as it
 * was terminated, or if Temporal does not know it any more.
 */
export async function outcomeOfClosed(
  temporal: Dependencies['temporal'],
  { workflowId, firstRunId }: ClosedRun,
): Promise<Ending | undefined> {
  const last = await findWorkflow(temporal, workflowId);
  if (!last) return undefined;
  // The first run of a job that went on for long may be forgotten; from it, the handle finds the last one otherwise.
  const runId = beganWith(last, firstRunId) ? last.runId : firstRunId;
  try {
    return outcomeIn(await temporal.workflow.getHandle(workflowId, runId).result());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (cause instanceof CancelledFailure) return CANCELLED;
    return isJobFailure(cause) ? outcomeIn(cause.details?.[0]) : undefined;
  }
}

const CANCELLED: Ending = {
  phase: 'Stopped',
  state: 'Stopped',
  cause: { reason: 'Cancelled', message: REASONS.Cancelled.sentence },
};

const isJobFailure = (cause: unknown): cause is ApplicationFailure =>
  cause instanceof ApplicationFailure && cause.type === JOB_FAILED;

const outcomeIn = (told: unknown) => (isOutcome(told) ? told : undefined);
