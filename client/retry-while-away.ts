import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { BackOff } from '../contracts/back-off.ts';
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
      return await (signal ? client.withAbortSignal(signal, bounded) : bounded());
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = backOff.next();
      if (!isTransientTemporalError(error) || Date.now() + pauseMs > until) throw error;
      await abortable(pauseMs, signal);
    }
  }
}

/** Throws the signal's own reason, which `delay` would wrap in an AbortError. */
export async function abortable(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}
