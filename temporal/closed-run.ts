import { type Client, WorkflowContinuedAsNewError, WorkflowFailedError } from '@temporalio/client';
import { RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import { isOutcome, type JobOutcome } from '../contracts/status.ts';
import { outcomeInFailure } from './recorded-outcome.ts';
import type { WorkflowRun } from './workflow-start.ts';

/** What a closed run has left: the outcome, if it recorded one, and why it failed, if it did. */
interface ClosedJobRun {
  readonly outcome?: JobOutcome;
  readonly failure?: WorkflowFailedError;
}

/** Reads the end of one run; a later run of its chain does not count. */
export async function readClosedRun(
  client: Client,
  { workflowId, runId }: WorkflowRun,
): Promise<ClosedJobRun> {
  try {
    const result: unknown = await client.workflow
      .getHandle(workflowId, runId, { followRuns: false })
      .result();
    return isOutcome(result) ? { outcome: result } : {};
  } catch (failure) {
    const isRepeated = failure instanceof WorkflowContinuedAsNewError;
    const own = isRepeated ? await failureOfRepeated(client, { workflowId, runId }) : failure;
    if (!(own instanceof WorkflowFailedError)) throw failure;
    return { outcome: outcomeInFailure(own.cause), failure: own };
  }
}

/**
 * Returns the failure of a run that Temporal repeated, by a retry policy or cron: to the client it says that such a run
 * continued as new. Undefined if it really did.
 */
async function failureOfRepeated(
  { workflowService, options }: Client,
  execution: WorkflowRun,
): Promise<WorkflowFailedError | undefined> {
  const { namespace, loadedDataConverter } = options;
  const request = { namespace, execution, maximumPageSize: 1 };
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse(request);
  const { workflowExecutionFailedEventAttributes: failed, workflowExecutionTimedOutEventAttributes: late } =
    history?.events?.[0] ?? {};
  if (late)
    return failureBy(
      new TimeoutFailure('Workflow execution timed out', undefined, TimeoutType.START_TO_CLOSE),
    );
  if (!failed) return undefined;
  return failureBy(await decodeOptionalFailureToOptionalError(loadedDataConverter, failed.failure));
}

const failureBy = (cause: Error | undefined) =>
  new WorkflowFailedError('Workflow execution failed', cause, RetryState.IN_PROGRESS);
