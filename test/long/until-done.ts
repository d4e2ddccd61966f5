import { WorkflowNotFoundError } from '@temporalio/client';
import { SignalboxError } from '../../client/errors/signalbox-error.ts';
import { grpcErrorOf, isTransientTemporalError } from '../../client/servers/temporal-errors.ts';
import { ApiError, ConnectionError, isNotFound } from '../../cluster/errors.ts';
import { eventually } from '../eventually.ts';

const WITHIN_MS = 120_000;

/** Tries again while servers are away: what the test itself has to do is not to fail by what it does to others. */
export function untilDone<T>(work: () => Promise<T>): Promise<T> {
  let done: { readonly value: T } | undefined;
  return eventually(
    'it is done',
    async () => {
      done ??= { value: await work() };
      return done;
    },
    { withinMs: WITHIN_MS, everyMs: 250 },
  ).then(({ value }) => value);
}

/** Of a deed against servers that are in trouble themselves: it came to nothing. */
export function unlessTrouble(error: unknown): undefined {
  const isTrouble =
    error instanceof ApiError ||
    error instanceof ConnectionError ||
    error instanceof SignalboxError ||
    error instanceof WorkflowNotFoundError ||
    grpcErrorOf(error) !== undefined ||
    isTransientTemporalError(error) ||
    (error as NodeJS.ErrnoException).code === 'ESRCH';
  if (!isTrouble) throw error;
}

/** For deletions: what is gone already need not be deleted. */
export function unlessGone(error: unknown): true {
  if (!isNotFound(error)) throw error;
  return true;
}
