import type { Reads } from '../cluster/reflector.ts';
import type { InterruptedStream } from '../contracts/interrupted-streams.ts';
import { objectsOfStream, streamIn } from '../contracts/kubernetes.ts';
import { errorMessage } from '../language/error-message.ts';

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
      list: (resource, options) => stream.noting(cluster.list(resource, options)),
      watch: (resource, options) => stream.watch((how) => cluster.watch(resource, how), options),
    };
  }

  /**
   * Opens a stream again that delivers nothing although there are changes in the namespace. Its connection may be dead.
   * `objects`: e.g. `v1/pods`.
   */
  reopen(objects: string, namespace: string): void {
    const stream = this.#streams.get(streamIn(objects, namespace)) ?? this.#streams.get(objects);
    stream?.cut();
  }

  /** The stream is not read any more, because the cluster does not serve its objects, or forbids to read them. */
  forget(name: string): void {
    this.#streams.delete(name);
  }

  clear(): void {
    this.#streams.clear();
  }

  /** Returns the names of all streams of these objects, e.g. `v1/pods`: one for each namespace, or one for all. */
  of(objects: string): readonly string[] {
    return [...this.#streams.keys()].filter((name) => objectsOfStream(name) === objects);
  }

  /** Returns all interruptions that last for longer than usual. */
  interruptions(now = Date.now()): InterruptedStream[] {
    return [...this.#streams].flatMap(([stream, { failure }]) =>
      failure && now - failure.since > TOLERATED_MS
        ? [{ stream, since: failure.since, why: errorMessage(failure.error) }]
        : [],
    );
  }

  /** Returns for how many seconds each stream has been interrupted; 0 for those that are not. */
  interruptedSeconds(now = Date.now()): ReadonlyMap<string, number> {
    return new Map(
      [...this.#streams].map(([name, { failure }]) => [name, failure ? (now - failure.since) / 1_000 : 0]),
    );
  }
}

type Watch = Reads['watch'];
type WatchOptions = Parameters<Watch>[1];

class Stream {
  /** Its last error since it could be read; the time is that of the first. */
  failure: { readonly since: number; readonly error: unknown } | undefined;
  #watching = new AbortController();

  isRead = (): void => {
    this.failure = undefined;
  };

  async noting<T>(request: Promise<T>): Promise<T> {
    try {
      const answer = await request;
      this.isRead();
      return answer;
    } catch (error) {
      this.#failed(error);
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
    try {
      // An open watch may be silent for a minute.
      yield* open({ ...options, opened: this.isRead, signal: AbortSignal.any(signals) });
    } catch (error) {
      if (!options.signal?.aborted) this.#failed(error);
      throw error;
    }
  }

  #failed(error: unknown): void {
    this.failure = { since: this.failure?.since ?? Date.now(), error };
  }
}
