import { describe, expect, it } from '@jest/globals';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  asAnswer,
  asFailure,
  EngineFaultError,
  NameInUseError,
  RefusedWithinLimitError,
  RejectedManifestError,
  StillLeavingError,
} from '../../../activities/support/failures.ts';
import { WrongClusterError } from '../../../activities/support/verify-cluster.ts';
import { ApiError, ConnectionError } from '../../../cluster/errors.ts';

const answer = (status: number, retryAfterMs?: number) =>
  new ApiError('POST /api/v1/pods', { status, reason: 'Because', message: 'said the server', retryAfterMs });

const failureOf = (error: unknown) => asFailure(error) as ApplicationFailure;

describe('what the API server refuses for good is final', () => {
  it.each([400, 405, 413, 415, 422])('%i', (status) => {
    const failure = failureOf(answer(status));
    expect(failure).toMatchObject({ type: 'ClusterRefused', nonRetryable: true });
    expect(failure.message).toContain('said the server');
  });
});

describe('what may go better next time is tried again', () => {
  it.each([401, 403, 404, 408, 409, 429, 500, 503, 504])('%i', (status) => {
    expect(failureOf(answer(status)).nonRetryable).toBeFalsy();
  });

  it('a lost connection', () => {
    expect(failureOf(new ConnectionError('GET /', new Error('reset')))).toMatchObject({
      type: 'ClusterAway',
    });
  });

  it('after the same short time each time if the worker serves another cluster', () => {
    const failure = failureOf(new WrongClusterError('the job is in the Kubernetes cluster a'));
    expect(failure).toMatchObject({ type: 'WrongClusterError', nextRetryDelay: '2s' });
    expect(failure.nonRetryable).toBeFalsy();
  });

  it('after the time that the server asks for', () => {
    expect(failureOf(answer(429, 7_000)).nextRetryDelay).toBe(7_000);
    expect(failureOf(answer(503)).nextRetryDelay).toBeUndefined();
  });

  it('an object of ours that is still leaving', () => {
    const leaving = new StillLeavingError('pod a is still being deleted');
    expect(asFailure(leaving)).toBe(leaving);
  });
});

it('a taken name is final', () => {
  expect(failureOf(new NameInUseError('Service a belongs to nobody'))).toMatchObject({
    type: 'NameTaken',
    nonRetryable: true,
  });
});

it('a manifest with faults is final, and carries them', () => {
  const faults = [{ path: 'spec.a', expected: 'b', got: 'c' }];
  const failure = failureOf(new RejectedManifestError(faults));
  expect(failure).toMatchObject({ type: 'InvalidManifest', nonRetryable: true, details: [faults] });
  expect(failure.message).toBe('spec.a: expected b, got c');
});

it('a fault of its own that would only repeat itself is final', () => {
  expect(failureOf(new EngineFaultError('the manifest could not be read'))).toMatchObject({
    type: 'EngineFault',
    nonRetryable: true,
  });
});

describe('what a job waits for itself', () => {
  const answerOf = (error: unknown, tried = 1) => asAnswer(error, tried) as ApplicationFailure;
  const FULL = new ApiError('POST /pods', { status: 403, reason: 'Forbidden', message: 'exceeded quota: q' });

  it('a refusal that may pass ends the activity at once, and says why', () => {
    expect(answerOf(FULL)).toMatchObject({
      type: 'RefusedForNow',
      nonRetryable: true,
      details: [{ reason: 'QuotaExceeded', message: 'exceeded quota: q', isLimited: true }],
    });
  });

  it('the limit of a policy that only the activity has read goes with it', () => {
    expect(answerOf(new RefusedWithinLimitError(FULL, 5_000)).details).toMatchObject([{ limitMs: 5_000 }]);
  });

  it('an API server that is away is told when it has been away for some tries', () => {
    const lost = new ConnectionError('GET /', new Error('reset'));
    expect(answerOf(lost, 4)).toMatchObject({ type: 'ClusterAway' });
    expect(answerOf(lost, 5)).toMatchObject({
      nonRetryable: true,
      details: [{ reason: 'ClusterAway', isLimited: false }],
    });
  });

  it('so is an object of ours that does not go', () => {
    const leaving = new StillLeavingError('pod a is still being deleted');
    expect(answerOf(leaving, 1)).toBe(leaving);
    expect(answerOf(leaving, 5).details).toMatchObject([{ reason: 'PodsTerminating' }]);
  });

  it('what is final stays so', () => {
    expect(answerOf(answer(422))).toMatchObject({ type: 'ClusterRefused', nonRetryable: true });
  });
});

it('what Temporal knows already stays as it is', () => {
  const cancelled = new CancelledFailure('cancelled');
  expect(asFailure(cancelled)).toBe(cancelled);
});
