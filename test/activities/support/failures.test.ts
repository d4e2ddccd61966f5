import { describe, expect, it } from '@jest/globals';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  asAnswer,
  asFailure,
  EngineFaultError,
  NameInUseError,
  NeverFitsError,
  RefusedWithinLimitError,
  RejectedManifestError,
  StillLeavingError,
} from '../../../activities/support/failures.ts';
import { WrongClusterError } from '../../../activities/support/verify-cluster.ts';
import { ApiError, ConnectionError } from '../../../cluster/errors.ts';

const answer = (status: number, retryAfterMs?: number) =>
  new ApiError('POST /api/v1/pods', { status, reason: 'Because', message: 'said the server', retryAfterMs });

const failureOf = (error: unknown) => asFailure(error) as ApplicationFailure;

describe('a final answer of the API server', () => {
  it.each([400, 405, 413, 415, 422])('is not retryable: %i', (status) => {
    const failure = failureOf(answer(status));
    expect(failure).toMatchObject({ type: 'ClusterRefused', nonRetryable: true });
    expect(failure.message).toContain('said the server');
  });
});

describe('a temporary failure', () => {
  it.each([401, 403, 404, 408, 409, 429, 500, 503, 504])('is retryable: %i', (status) => {
    expect(failureOf(answer(status)).nonRetryable).toBeFalsy();
  });

  it('includes a lost connection', () => {
    expect(failureOf(new ConnectionError('GET /', new Error('reset')))).toMatchObject({
      type: 'ApiServerUnavailable',
    });
  });

  it('has a constant short delay if the worker serves another cluster', () => {
    const failure = failureOf(new WrongClusterError('the job is in the Kubernetes cluster a'));
    expect(failure).toMatchObject({ type: 'WrongClusterError', nextRetryDelay: '2s' });
    expect(failure.nonRetryable).toBeFalsy();
  });

  it('has the delay that the server asks for', () => {
    expect(failureOf(answer(429, 7_000)).nextRetryDelay).toBe(7_000);
    expect(failureOf(answer(503)).nextRetryDelay).toBeUndefined();
  });

  it('includes an object of ours that is still being deleted', () => {
    const leaving = new StillLeavingError('pod a is still being deleted');
    expect(asFailure(leaving)).toBe(leaving);
  });
});

it('a name in use is final', () => {
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

it('an engine fault is final', () => {
  expect(failureOf(new EngineFaultError('the manifest could not be read'))).toMatchObject({
    type: 'EngineFault',
    nonRetryable: true,
  });
});

describe('what a job retries by itself', () => {
  const answerOf = (error: unknown, tried = 1) => asAnswer(error, tried) as ApplicationFailure;
  const FULL = new ApiError('POST /pods', { status: 403, reason: 'Forbidden', message: 'exceeded quota: q' });

  it('a temporary refusal ends the activity at once, with its reason', () => {
    expect(answerOf(FULL)).toMatchObject({
      type: 'RefusedForNow',
      nonRetryable: true,
      details: [{ reason: 'QuotaExceeded', message: 'exceeded quota: q', isLimited: true }],
    });
  });

  it('a refusal carries the policy limit that only the activity has read', () => {
    expect(answerOf(new RefusedWithinLimitError(FULL, 5_000)).details).toMatchObject([{ limitMs: 5_000 }]);
  });

  it('a refusal says what of the whole job never fits', () => {
    const never = new NeverFitsError(FULL, 'the job needs 2 pods');
    const refused = { reason: 'NeverFits', message: 'the job needs 2 pods', isLimited: true };
    expect(answerOf(never)).toMatchObject({ type: 'RefusedForNow', details: [refused] });
    expect(failureOf(never)).toMatchObject({ type: 'ApiServerUnavailable', nonRetryable: false });
  });

  it('an unavailable API server is reported after some tries', () => {
    const lost = new ConnectionError('GET /', new Error('reset'));
    expect(answerOf(lost, 4)).toMatchObject({ type: 'ApiServerUnavailable' });
    expect(answerOf(lost, 5)).toMatchObject({
      nonRetryable: true,
      details: [{ reason: 'ApiServerUnavailable', isLimited: false }],
    });
  });

  it('an object of ours that stays is reported after some tries', () => {
    const leaving = new StillLeavingError('pod a is still being deleted');
    expect(answerOf(leaving, 1)).toBe(leaving);
    expect(answerOf(leaving, 5).details).toMatchObject([{ reason: 'PodsTerminating' }]);
  });

  it('a final failure stays final', () => {
    expect(answerOf(answer(422))).toMatchObject({ type: 'ClusterRefused', nonRetryable: true });
  });
});

it('a failure of Temporal stays unchanged', () => {
  const cancelled = new CancelledFailure('cancelled');
  expect(asFailure(cancelled)).toBe(cancelled);
});
