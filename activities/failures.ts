import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ApiError, isTransient } from '../cluster/errors.ts';
import type { Fault } from '../contracts/faults.ts';
import { INVALID_MANIFEST } from '../contracts/messages.ts';
import { formatFault } from '../frameworks/faults.ts';

/** A name that the job needs belongs to another live job, or to something that is not of signalbox. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** The manifest cannot be run; nothing has been created. */
export class InvalidManifestError extends Error {
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

/**
 * The one place that decides what Temporal tries again. Final: what the API server refuses for good (invalid, forbidden,
 * unknown namespace), a name that is taken, a manifest with faults. Everything else is tried again: too many requests
 * (after the time that the server names), server faults, lost connections, conflicts, expired credentials.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof InvalidManifestError) return final(error, INVALID_MANIFEST, [error.faults]);
  if (error instanceof NameTakenError) return final(error, 'NameTaken');
  if (error instanceof EngineFaultError) return final(error, 'EngineFault');
  if (error instanceof ApiError && isFinal(error)) return final(error, 'ClusterRefused');
  if (error instanceof ApiError || isTransient(error)) {
    const nextRetryDelay = error instanceof ApiError ? error.retryAfterMs : undefined;
    return ApplicationFailure.create({ message: messageOf(error), type: 'ClusterAway', nextRetryDelay });
  }
  return error;
}

const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415, 422]);

const isFinal = ({ status }: ApiError) => FINAL_STATUSES.has(status);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const final = (error: Error, type: string, details: unknown[] = []) =>
  ApplicationFailure.create({ message: error.message, type, nonRetryable: true, details, cause: error });
