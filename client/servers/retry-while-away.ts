import type { Client } from '@temporalio/client';
import { BackOff } from '../../language/back-off.ts';
import { orAborted, pauseUnlessAborted } from './abort.ts';
import type { CallOptions } from './client-settings.ts';
import { isTransientTemporalError } from './temporal-errors.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const PAUSE = { firstMs: 100, mostMs: 2_000 };

/** Calls Temporal, and again while it does not answer, until the timeout is over or the signal aborts. */
export async function retryWhileAway<T>(
  client: Client,
  { timeout = DEFAULT_TIMEOUT_MS, signal }: CallOptions,
  call: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + timeout;
  const backOff = new BackOff(PAUSE);
  const bounded = () => client.withDeadline(until, call);
  for (;;) {
    try {
      signal?.throwIfAborted();
      return await (signal ? orAborted(client.withAbortSignal(signal, bounded), signal) : bounded());
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = backOff.next();
      if (!isTransientTemporalError(error) || Date.now() + pauseMs > until) throw error;
      await pauseUnlessAborted(pauseMs, signal);
    }
  }
}
