import type { Reads } from '../../cluster/reflector.ts';
import { errorMessage } from '../../contracts/error-message.ts';
import type { InterruptedStream } from '../../contracts/interrupted-streams.ts';

/** Interruptions that are over sooner are usual: the API server restarts, a connection breaks. */
export const TOLERATED_MS = 30_000;

/** The streams that a watcher reads, and which of them are interrupted. */
export class Streams {
  readonly #streams = new Map<string, Stream>();

  /** Returns a client for one stream. It notes what happens to the lists and watches that are read through it. */
  clientFor(name: string, cluster: Reads): Reads {
    const stream = new Stream();
    this.#streams.set(name, stream);
    return {
      list: async (resource, options) => {
        const page = await stream.noting(cluster.list(resource, options));
        stream.heard();
        return page;
      },
      watch: (resource, options) => stream.watch((how) => cluster.watch(resource, how), options),
    };
  }

  /** Opens a stream again that delivers nothing although there are changes. Its connection may be dead. */
  reopen(name: string): void {
    this.#streams.get(name)?.cut();
  }

  /** The stream is not read any more, because the cluster does not serve its objects, or forbids to read them. */
  forget(name: string): void {
    this.#streams.delete(name);
  }

  clear(): void {
    this.#streams.clear();
  }

  /** Returns all interruptions that last for longer than usual. */
  interruptions(now = Date.now()): InterruptedStream[] {
    return [...this.#streams].flatMap(([name, { heardAt, error }]) =>
      error !== undefined && now - heardAt > TOLERATED_MS
        ? [{ stream: name, since: heardAt, why: errorMessage(error) }]
        : [],
    );
  }

  /** Returns for how many seconds each stream has been interrupted; 0 for those that are not. */
  interruptedSeconds(now = Date.now()): ReadonlyMap<string, number> {
    return new Map(
      [...this.#streams].map(([name, { heardAt, error }]) => [
        name,
        error === undefined ? 0 : (now - heardAt) / 1_000,
      ]),
    );
  }
}

type Watch = Reads['watch'];
type WatchOptions = Parameters<Watch>[1];

class Stream {
  heardAt = Date.now();
  /** Set while it is interrupted. */
  error: unknown;
  #watching = new AbortController();

  heard = (): void => {
    this.heardAt = Date.now();
    this.error = undefined;
  };

  async noting<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      this.error = error;
      throw error;
    }
  }

  cut(): void {
    this.#watching.abort(new Error('it delivered nothing although there were changes'));
  }

  async *watch<E>(
    open: (options: WatchOptions) => AsyncGenerator<E>,
    options: WatchOptions,
  ): AsyncGenerator<E> {
    this.#watching = new AbortController();
    const signals = [this.#watching.signal, ...(options.signal ? [options.signal] : [])];
    // An open watch may be silent for a minute: it clears the error, but does not count as heard.
    const opened = () => {
      this.error = undefined;
    };
    try {
      for await (const event of open({ ...options, opened, signal: AbortSignal.any(signals) })) {
        this.heard();
        yield event;
      }
    } catch (error) {
      if (!options.signal?.aborted) this.error = error;
      throw error;
    }
  }
}
