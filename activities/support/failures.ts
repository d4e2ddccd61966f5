import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ApiError, isTransient } from '../../cluster/errors.ts';
import { LanesConfigError } from '../../cluster/read-lanes.ts';
import { asTemporaryRefusal } from '../../cluster/temporary-refusal.ts';
import { INVALID_MANIFEST } from '../../contracts/messages.ts';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../../contracts/refusals.ts';
import type { Fault } from '../../contracts/types.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { asError, errorMessage } from '../../language/error-message.ts';
import { WrongClusterError } from './verify-cluster.ts';

/** A name that the job needs belongs to another live job, or to an object that signalbox does not manage. */
export class NameInUseError extends Error {
  override readonly name = 'NameTakenError';
}

/** The manifest cannot be run; nothing has been created. */
export class RejectedManifestError extends Error {
  override readonly name = 'InvalidManifestError';
  readonly faults: readonly Fault[];
  /** Something else than the manifest may change so that it can be run, e.g. the lanes of the installation. */
  readonly mayPass: boolean;

  constructor(faults: readonly Fault[], { mayPass = false } = {}) {
    super(faults.map(formatFault).join('\n'));
    this.faults = faults;
    this.mayPass = mayPass;
  }
}

/** The custom resource of the job is gone, has had its job, says something else than the workflow was started with, or was not named. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly reason: 'ResourceDeleted' | 'ResourceChanged' | 'ResourceEnded' | 'ResourceRequired';

  constructor(reason: ResourceError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export const endedError = (called: string): ResourceError =>
  new ResourceError('ResourceEnded', `${called} has had its job, which has ended, and is not run again`);

/** A fault of signalbox itself that a retry would repeat. */
export class EngineFaultError extends Error {
  override readonly name = 'EngineFaultError';
}

/** An object of the job is still being deleted; its name will be free soon. */
export class StillLeavingError extends Error {
  override readonly name = 'StillLeavingError';
}

/** A temporary refusal with the policy's limit, for a workflow that does not know the policy yet. */
export class RefusedWithinLimitError extends Error {
  override readonly name = 'RefusedWithinLimitError';
  readonly limitMs: number;

  constructor(refusal: ApiError, limitMs: number) {
    super(refusal.message, { cause: refusal });
    this.limitMs = limitMs;
  }
}

/** A temporary refusal of a quota that never holds the whole job. */
export class NeverFitsError extends Error {
  override readonly name = 'NeverFitsError';

  constructor(refusal: ApiError, message: string) {
    super(message, { cause: refusal });
  }
}

/**
 * Decides, in one place, what is retried. Final: what the API server refuses for good (invalid, denied by a policy), a
 * name that is taken, a manifest with faults. Temporal retries everything else: throttling (after the server's delay),
 * server errors, lost connections, conflicts, expired credentials, and temporary refusals.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof RejectedManifestError) {
    const { faults, mayPass } = error;
    return final(error, INVALID_MANIFEST, mayPass ? [faults, { mayPass }] : [faults]);
  }
  if (error instanceof NameInUseError) return final(error, 'NameTaken');
  if (error instanceof ResourceError) return final(error, error.reason);
  if (error instanceof EngineFaultError) {
    const { message, cause } = error;
    return ApplicationFailure.create({
      message,
      type: 'EngineFault',
      nonRetryable: true,
      cause: cause === undefined ? undefined : asError(cause),
    });
  }
  if (error instanceof RefusedWithinLimitError || error instanceof NeverFitsError)
    return asFailure(error.cause);
  if (error instanceof WrongClusterError) {
    return ApplicationFailure.create({ message: error.message, type: error.name, nextRetryDelay: SOON });
  }
  if (error instanceof ApiError && !asTemporaryRefusal(error)) return final(error, 'ClusterRefused');
  if (error instanceof ApiError || isTransient(error)) {
    const nextRetryDelay = error instanceof ApiError ? error.retryAfterMs : undefined;
    return ApplicationFailure.create({
      message: errorMessage(error),
      type: 'ApiServerUnavailable',
      nextRetryDelay,
    });
  }
  return error;
}

/** Any worker may take the next try: the pauses do not grow, so that one of the right cluster soon does. */
const SOON = '2s';

/** Like asFailure, but nothing is final. */
export function asFailureToRetry(error: unknown): unknown {
  const failure = asFailure(error);
  if (!(failure instanceof ApplicationFailure) || !failure.nonRetryable) return failure;
  const { message, type, cause } = failure;
  return ApplicationFailure.create({ message, type: type ?? undefined, cause });
}

/** Refusals that pass within seconds stay out of the job's history: Temporal retries this often first. */
const SILENT_TRIES = 5;

/**
 * Like asFailure, for activities whose workflow itself waits. Temporal's retries would hide the reason from the
 * workflow, so a temporary refusal ends the activity. The workflow shows the reason, waits, and runs the activity
 * again.
 */
export function asAnswer(error: unknown, tried: number): unknown {
  const refusal = refusalOf(error);
  if (!refusal || (tried < SILENT_TRIES && !refusal.isLimited)) return asFailure(error);
  return final(asError(error), REFUSED_FOR_NOW, [refusal]);
}

function refusalOf(error: unknown): PassingRefusal | undefined {
  if (error instanceof RefusedWithinLimitError) {
    const refusal = refusalOf(error.cause);
    return refusal && { ...refusal, limitMs: error.limitMs };
  }
  if (error instanceof NeverFitsError) {
    const refusal = refusalOf(error.cause);
    return refusal && { ...refusal, reason: 'NeverFits', message: error.message };
  }
  if (error instanceof ApiError) {
    const { detail: message, retryAfterMs } = error;
    const found = asTemporaryRefusal(error);
    return found && { ...found, message, retryAfterMs };
  }
  if (isTransient(error))
    return { reason: 'ApiServerUnavailable', message: errorMessage(error), isLimited: false };
  if (error instanceof LanesConfigError) {
    return { reason: 'LaneFaulty', message: error.message, isLimited: false };
  }
  if (error instanceof StillLeavingError) {
    return { reason: 'PodsTerminating', message: error.message, isLimited: false };
  }
  return undefined;
}

/** What a user can mend needs no stack trace: Temporal's tools would show the engine's own paths. */
function final(error: Error, type: string, details: unknown[] = []): ApplicationFailure {
  const failure = ApplicationFailure.create({ message: error.message, type, nonRetryable: true, details });
  failure.stack = '';
  return failure;
}
