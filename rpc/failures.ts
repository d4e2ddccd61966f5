import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { SignalboxError } from '../client/errors/signalbox-error.ts';

/**
 * Converts an error of the client to the failure that clients in other languages get: the type is its code, the detail has
 * its remedy and its public fields. Temporal tries all others again, and what the world may mend by itself.
 */
export function asRpcFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (!(error instanceof SignalboxError)) return error;
  const { code, message, remedy } = error;
  const failure = ApplicationFailure.create({
    ...{ message, type: code, nonRetryable: !mayPass(error) },
    details: [{ remedy, ...publicFields(error) }],
  });
  // What a user can mend needs no stack trace: Temporal's tools would show the engine's own paths.
  failure.stack = '';
  return failure;
}

/** A server or a store is away, which its error is the cause of. */
const mayPass = ({ code, cause }: SignalboxError): boolean =>
  code === 'ServerAway' || (code === 'ArchiveAway' && cause !== undefined);

const OWN: ReadonlySet<string> = new Set(['name', 'code', 'message', 'stack', 'cause', 'remedy']);

const publicFields = (error: SignalboxError): object =>
  Object.fromEntries(Object.entries(error).filter(([field]) => !OWN.has(field)));
