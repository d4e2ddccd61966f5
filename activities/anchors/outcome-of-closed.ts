import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { JOB_FAILED } from '../../contracts/messages.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { isOutcome, type JobOutcome } from '../../contracts/status.ts';
import { findWorkflow, hasFirstRun } from '../../temporal/find-workflow.ts';
import type { Dependencies } from '../support/dependencies.ts';

export interface ClosedRun {
  readonly workflowId: string;
  readonly firstRunId: string | undefined;
}

/** An outcome; for a cancelled workflow only the part that Temporal keeps. */
export type Ending = JobOutcome | (Pick<JobOutcome, 'state' | 'cause'> & { readonly phase: 'Stopped' });

/**
 * Returns how a job ended, from the result of its closed workflow. Undefined if the workflow was terminated or Temporal
 * no longer knows it.
 */
export async function outcomeOfClosed(
  temporal: Dependencies['temporal'],
  { workflowId, firstRunId }: ClosedRun,
): Promise<Ending | undefined> {
  const last = await findWorkflow(temporal, workflowId);
  if (!last) return undefined;
  // Temporal may have deleted the first run of a long job. Otherwise the handle follows its chain.
  const runId = hasFirstRun(last, firstRunId) ? last.runId : firstRunId;
  // Anybody with access to the namespace can write the id on an anchor. Temporal does not look for what is none.
  if (runId !== undefined && !RUN_ID.test(runId)) return undefined;
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

/** A UUID. */
const RUN_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const CANCELLED: Ending = {
  phase: 'Stopped',
  state: 'Stopped',
  cause: { reason: 'Cancelled', message: REASONS.Cancelled.sentence },
};

const isJobFailure = (cause: unknown): cause is ApplicationFailure =>
  cause instanceof ApplicationFailure && cause.type === JOB_FAILED;

const outcomeIn = (decoded: unknown) => (isOutcome(decoded) ? decoded : undefined);
