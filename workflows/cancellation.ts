import { ActivityFailure, isCancellation } from '@temporalio/workflow';

/**
 * Whether an activity ended because it was cancelled. It may not report that: its worker died first, or it failed with
 * an error that would otherwise be retried.
 */
export const wasCancelled = (error: unknown): boolean =>
  isCancellation(error) || (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED');
