import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ApiError, isTransient } from '../../cluster/errors.ts';
import type { Fault } from '../../contracts/faults.ts';
import { INVALID_MANIFEST } from '../../contracts/messages.ts';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../../contracts/refusals.ts';
import { formatFault } from '../../frameworks/manifest/faults.ts';
import { asTemporaryRefusal } from './refusals.ts';

/** A name that the job needs belongs to another live job, or to something that is not of signalbox. */
export class NameInUseError extends Error {
  override readonly name = 'NameTakenError';
}

/** The manifest cannot be run; nothing has been created. */
export class RejectedManifestError extends Error {
  override readonly name = 'InvalidManifestError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join('\n'));
    this.faults = faults;
  }
}

/** A fault of signalbox's own that another try would only repeat. */
export class EngineFaultError extends Error {
  override readonly name = 'EngineFaultError';
}

/** An object of ours is still on its way out; its name will be free soon. */
export class StillLeavingError extends Error {
  override readonly name = 'StillLeavingError';
}

/** What a job may wait for, and no longer than its policy says. The workflow that waits does not know the policy yet. */
export class RefusedWithinLimitError extends Error {
  override readonly name = 'RefusedWithinLimitError';
  readonly limitMs: number;

  constructor(refusal: ApiError, limitMs: number) {
    super(refusal.message, { cause: refusal });
    this.limitMs = limitMs;
  }
}

/**
 * The one place that decides what is tried again. Final: what the API server refuses for good (invalid, denied by a
 * policy), a name that is taken, a manifest with faults. Everything else Temporal tries again: too many requests (after
 * the time that the server names), server faults, lost connections, conflicts, expired credentials, and refusals that
 * may pass.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof RejectedManifestError) return final(error, INVALID_MANIFEST, [error.faults]);
  if (error instanceof NameInUseError) return final(error, 'NameTaken');
  if (error instanceof EngineFaultError) return final(error, 'EngineFault');
  if (error instanceof RefusedWithinLimitError) return asFailure(error.cause);
  if (error instanceof ApiError && !asTemporaryRefusal(error)) return final(error, 'ClusterRefused');
  if (error instanceof ApiError || isTransient(error)) {
    const nextRetryDelay = error instanceof ApiError ? error.retryAfterMs : undefined;
    return ApplicationFailure.create({ message: messageOf(error), type: 'ClusterAway', nextRetryDelay });
  }
  return error;
}

/** The same where nothing is final. */
export function asFailureToRetry(error: unknown): unknown {
  const failure = asFailure(error);
  if (!(failure instanceof ApplicationFailure) || !failure.nonRetryable) return failure;
  const { message, type, cause } = failure;
  return ApplicationFailure.create({ message, type: type ?? undefined, cause });
}

/** What passes within seconds is not worth a word in the job's history: Temporal tries it so often first. */
const TRIES_UNTOLD = 5;

/**
 * The same for what a job's workflow waits for itself. Temporal's retries would hide the reason from it, so that a
 * refusal that may pass ends the activity; the workflow tells it, waits, and has it done again.
 */
export function asAnswer(error: unknown, tried: number): unknown {
  const refusal = refusalOf(error);
  if (!refusal || (tried < TRIES_UNTOLD && !refusal.isLimited)) return asFailure(error);
  return final(error as Error, REFUSED_FOR_NOW, [refusal]);
}

function refusalOf(error: unknown): PassingRefusal | undefined {
  if (error instanceof RefusedWithinLimitError) {
    const refusal = refusalOf(error.cause);
    return refusal && { ...refusal, limitMs: error.limitMs };
  }
  if (error instanceof ApiError) {
    const { said, retryAfterMs } = error;
    const found = asTemporaryRefusal(error);
    return found && { ...found, said, retryAfterMs };
  }
  if (isTransient(error)) return { reason: 'ClusterAway', said: messageOf(error), isLimited: false };
  if (error instanceof StillLeavingError) {
    return { reason: 'PodsTerminating', said: error.message, isLimited: false };
  }
  return undefined;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const final = (error: Error, type: string, details: unknown[] = []) =>
  ApplicationFailure.create({ message: error.message, type, nonRetryable: true, details, cause: error });
