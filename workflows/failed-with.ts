import { ApplicationFailure } from '@temporalio/workflow';
import { JOB_FAILED } from '../contracts/messages.ts';
import type { JobOutcome } from '../contracts/status.ts';

/** Returns the failure that ends the workflow of a failed job. */
export function failedWith(outcome: JobOutcome): ApplicationFailure {
  const { reason, message } = outcome.cause ?? { reason: 'EngineFault', message: 'no cause was recorded' };
  return ApplicationFailure.nonRetryable(`${reason}: ${message}`, JOB_FAILED, outcome);
}
