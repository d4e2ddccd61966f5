import { setTimeout as delay } from 'node:timers/promises';

/** Settles as the work does, or throws the signal's reason at once: gRPC may take long to notice an abort. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Waits, or throws the signal's own reason, which `delay` would wrap in an AbortError. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}
