/** An answer of undefined counts for so long: rights may be given while a worker runs. */
const ASK_AGAIN_MS = 60_000;

/**
 * Caches the answer. If a call fails, e.g. as the API server is unavailable, the next one asks again; if nothing is known, the
 * next one after a minute. `elapsed`: milliseconds of a clock that does not jump.
 */
export function cachedOnce<T>(
  ask: () => Promise<T>,
  elapsed: () => number = () => performance.now(),
): () => Promise<T> {
  let known: Promise<T> | undefined;
  let until = Number.POSITIVE_INFINITY;
  const askNow = async (): Promise<T> => {
    until = Number.POSITIVE_INFINITY;
    try {
      const answer = await ask();
      if (answer === undefined) until = elapsed() + ASK_AGAIN_MS;
      return answer;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return () => {
    if (known && elapsed() < until) return known;
    known = askNow();
    return known;
  };
}
