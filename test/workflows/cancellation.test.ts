import { describe, expect, it } from '@jest/globals';
import { ActivityFailure, ApplicationFailure, CancelledFailure, type RetryState } from '@temporalio/common';
import { wasCancelled } from '../../workflows/cancellation.ts';

const activityFailure = (retryState: RetryState, cause: Error) =>
  new ActivityFailure('Activity task failed', 'drain', '1', retryState, undefined, cause);

describe('an activity counts as cancelled', () => {
  it.each([
    ['it reports so', activityFailure('CANCEL_REQUESTED', new CancelledFailure('CANCELLED'))],
    ['its scope was cancelled before it started', new CancelledFailure('Cancellation scope cancelled')],
    [
      'it failed and is not retried because it was cancelled',
      activityFailure('CANCEL_REQUESTED', new Error('away')),
    ],
  ])('if %s', (_, error) => {
    expect(wasCancelled(error)).toBe(true);
  });

  it.each([
    [
      'it failed for good',
      activityFailure('NON_RETRYABLE_FAILURE', ApplicationFailure.nonRetryable('invalid')),
    ],
    ['it timed out', activityFailure('TIMEOUT', new Error('timed out'))],
    ['the error is not of an activity', new Error('a fault')],
    ['there was no error', undefined],
  ])('but not if %s', (_, error) => {
    expect(wasCancelled(error)).toBe(false);
  });
});
