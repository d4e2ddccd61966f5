/** Node fires a timer that is set for longer than this, 24.8 days, at once. The functions here take any time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after the time, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = callAfter(ms, end);
    signal.addEventListener('abort', end);
  });
}

/** Returns a function that cancels the call. */
export function callAfter(
  ms: number,
  call: () => void,
  { keepsAlive = true }: { readonly keepsAlive?: boolean } = {},
): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const next = () => (left > LONGEST_TIMER_MS ? wait(left - LONGEST_TIMER_MS) : call());
    timer = setTimeout(next, Math.min(left, LONGEST_TIMER_MS));
    if (!keepsAlive) timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** Returns undefined if the work is not done after the time, which keeps no process alive. */
export async function unlessLate<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = callAfter(ms, () => late.resolve(undefined), { keepsAlive: false });
  return await Promise.race([work, late.promise]).finally(cancel);
}

/** Aborts after the time, which keeps no process alive. */
export function timeoutSignal(ms: number): AbortSignal {
  if (ms <= LONGEST_TIMER_MS) return AbortSignal.timeout(ms);
  const over = new AbortController();
  callAfter(ms, () => over.abort(), { keepsAlive: false });
  return over.signal;
}
