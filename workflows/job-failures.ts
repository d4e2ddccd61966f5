import { ApplicationFailure } from '@temporalio/workflow';
import { INVALID_MANIFEST, JOB_ENDED, JOB_FAILED, REFUSED_REQUEST } from '../contracts/messages.ts';
import type { JobOutcome } from '../contracts/status.ts';

/** Returns the failure that ends the workflow of a failed job. */
export function failedWith(outcome: JobOutcome): ApplicationFailure {
  const { reason, message } = outcome.cause ?? { reason: 'EngineFault', message: 'no cause was recorded' };
  return withoutStack(ApplicationFailure.nonRetryable(`${reason}: ${message}`, JOB_FAILED, outcome));
}

/** Returns the failure that ends the workflow of a manifest that cannot be run. */
export function invalidManifest(faults: unknown, outcome: JobOutcome): ApplicationFailure {
  const message = outcome.cause?.message ?? '';
  return withoutStack(ApplicationFailure.nonRetryable(message, INVALID_MANIFEST, faults, outcome));
}

/** Returns the answer to a request that the job does not accept. */
export function refusedRequest(why: string, { isOver = false } = {}): ApplicationFailure {
  return withoutStack(ApplicationFailure.nonRetryable(why, isOver ? JOB_ENDED : REFUSED_REQUEST));
}

/** Removes the stack trace: the message says everything, and Temporal's tools would show the engine's own paths. */
export function withoutStack(failure: ApplicationFailure): ApplicationFailure {
  failure.stack = '';
  return failure;
}
