import { errorMessage } from '../../language/error-message.ts';
import { ArchiveError } from './archive-errors.ts';
import type { ArchiveStore } from './archive-store.ts';
import { storeFault } from './store-fault.ts';

/** A request to the store failed. The message says what is wrong with it, e.g. `s3://jobs cannot be reached: ...`. */
export class StoreRequestError extends Error {
  override readonly name = 'StoreRequestError';

  constructor(place: string, cause: unknown) {
    super(`${place} ${storeFault(cause)}: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * A store that distinguishes its own errors from those of the code around it, and knows how long it leaves a request without an
 * answer: a network file system that hangs reports no error.
 */
export class WatchedStore implements ArchiveStore {
  readonly location: string;
  readonly #store: ArchiveStore;
  readonly #elapsed: () => number;
  /** When each request began that has no answer yet, the oldest first. */
  readonly #unanswered = new Set<{ readonly since: number }>();

  /** `elapsed`: milliseconds of a clock that does not jump. */
  constructor(store: ArchiveStore, elapsed: () => number = () => performance.now()) {
    this.#store = store;
    this.#elapsed = elapsed;
    this.location = store.location;
  }

  /** Milliseconds since the oldest request that has no answer yet; 0 if there is none. */
  silentMs(): number {
    const [oldest] = this.#unanswered;
    return oldest ? this.#elapsed() - oldest.since : 0;
  }

  examine = (): Promise<void> => this.#watched(() => this.#store.examine());
  create = (key: string, bytes: Uint8Array): Promise<boolean> =>
    this.#watched(() => this.#store.create(key, bytes));
  replace = (key: string, bytes: Uint8Array): Promise<void> =>
    this.#watched(() => this.#store.replace(key, bytes));
  read = (key: string): Promise<Uint8Array | undefined> => this.#watched(() => this.#store.read(key));
  remove = (key: string): Promise<void> => this.#watched(() => this.#store.remove(key));
  refOf = (key: string): string => this.#store.refOf(key);
  close = (): void => this.#store.close();

  /** A caller that reads the keys may take a long time for each: only the search for the next one is a request. */
  async *list(prefix: string): AsyncGenerator<string> {
    const keys = this.#store.list(prefix)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#watched(() => keys.next());
        if (done) return;
        yield value;
      }
    } finally {
      await keys.return?.();
    }
  }

  async #watched<T>(ask: () => Promise<T>): Promise<T> {
    const request = { since: this.#elapsed() };
    this.#unanswered.add(request);
    try {
      return await ask();
    } catch (cause) {
      throw cause instanceof ArchiveError ? cause : new StoreRequestError(this.location, cause);
    } finally {
      this.#unanswered.delete(request);
    }
  }
}
