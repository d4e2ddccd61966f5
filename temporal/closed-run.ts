import { type Client, WorkflowFailedError } from '@temporalio/client';
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
    if (!(failure instanceof WorkflowFailedError)) throw failure;
    return { outcome: outcomeInFailure(failure.cause), failure };
  }
}
