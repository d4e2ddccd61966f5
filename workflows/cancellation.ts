import { ActivityFailure, isCancellation } from '@temporalio/workflow';

/**
 * Whether an activity ended because it was asked to. It may not have said so: its worker died first, or it failed in a
 * way that would be tried again, were it still wanted.
 */
export const wasCancelled = (error: unknown): boolean =>
  isCancellation(error) || (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED');
