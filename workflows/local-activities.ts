import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { Started } from '../activities/support/local-task.ts';
import { wasCancelled } from './cancellation.ts';

/**
 * Returns an activity that first runs as a local one, within the workflow task: that adds one event to the history
 * instead of six, and its input none. It has one short try. If that fails for now, `remotely` runs an ordinary
 * activity, which is retried as long as it takes.
 */
export function firstLocally<R extends object, T>(
  locally: (request: R & Started) => Promise<T>,
  remotely: (request: R) => Promise<T>,
): (request: R) => Promise<T> {
  return async (request) => {
    try {
      return await locally({ ...request, startedAt: Date.now() });
    } catch (error) {
      if (wasCancelled(error) || isFinal(error)) throw error;
      return remotely(request);
    }
  };
}

const isFinal = (error: unknown) =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.nonRetryable === true;
