import pMap from 'p-map';

export interface FailedItem<T> {
  readonly item: T;
  readonly error: unknown;
}

export interface Trying {
  /** Throws if the servers do not answer: then nothing is to be learnt of the other items either. */
  readonly confirmServers: () => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly concurrency?: number;
}

/** Runs `work` for each item. An error is that item's alone, unless the servers do not answer at all. */
export async function tryEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { confirmServers, signal, concurrency = 1 }: Trying,
): Promise<readonly FailedItem<T>[]> {
  const failures: FailedItem<T>[] = [];
  const tryOne = async (item: T) => {
    try {
      await work(item);
    } catch (error) {
      signal.throwIfAborted();
      await confirmServers();
      failures.push({ item, error });
    }
  };
  await pMap(items, tryOne, { concurrency, signal });
  return failures;
}
