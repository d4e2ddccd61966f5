/**
 * Runs `work` for each item, at most `limit` at once. After a failure or an abort it starts nothing new. It settles
 * only when all started work has ended, so that no request outlives its activity.
 */
export async function inParallel<T>(
  items: readonly T[],
  options: { readonly limit: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const lane = async () => {
    while (next < items.length && failures.length === 0 && !options.signal.aborted) {
      const item = items[next++]!;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  options.signal.throwIfAborted();
}

/** Waits for several started promises. Throws only when all of them have settled. */
export async function allOrAbort<T extends readonly Promise<unknown>[]>(...begun: T) {
  await Promise.allSettled(begun);
  return Promise.all(begun);
}
