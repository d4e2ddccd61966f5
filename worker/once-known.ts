/** Caches the answer. If a call fails, e.g. as the API server is unavailable, the next one asks again. */
export function onceKnown<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= ask().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
