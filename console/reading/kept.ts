import { pauseMsAfter } from '../../language/pause-after-reading.ts';
import { unlessLate } from '../../language/timers.ts';
import { measured, type Read } from '../metrics.ts';

/** Something that was read, when, and why it could not be read again since. */
export interface KeptValue<T> {
  readonly value: T;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly error?: unknown;
}

interface Entry<T> {
  readonly last?: KeptValue<T>;
  readonly reading?: Promise<KeptValue<T>>;
  /** Until when nobody reads again, in epoch milliseconds. */
  readonly until: number;
}

interface KeptOptions {
  /** What is read, for metrics. */
  readonly read: Read;
  /** For how long a value is as good as a new one. */
  readonly freshMs: number;
  /** How many values are kept. */
  readonly most: number;
  /** A value that takes long to read is good for longer. */
  readonly stretches?: true;
}

/** After a failure, for how long nobody asks again. */
const FAILED_MS = 2_000;

/**
 * Values that many people look at: read once for all of them, at most once within `freshMs`. While a server is away, the
 * value that was read last stays, with the reason.
 */
export class Kept<T> {
  readonly #options: KeptOptions;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** Throws if there is no value, and for what is an answer, e.g. that there is no such job. */
  get(key: string, read: () => Promise<T>): Promise<KeptValue<T>> {
    const { last, reading, until = 0 } = this.#entries.get(key) ?? {};
    if (reading) return reading;
    if (last && Date.now() < until) return Promise.resolve(last);
    const from = performance.now();
    const begun = this.#read(last, read);
    this.#set(key, { last, reading: begun, until });
    begun.then(
      (value) => {
        const pause = value.error === undefined ? this.#freshMs(performance.now() - from) : FAILED_MS;
        this.#set(key, { last: value, until: Date.now() + pause });
      },
      () => this.#entries.delete(key),
    );
    return begun;
  }

  /** As `get`, for what a page does without: undefined if there is no value, or none within the time. */
  async getWithin(ms: number, key: string, read: () => Promise<T>): Promise<T | undefined> {
    const reading = this.get(key, read).catch(() => undefined);
    return (await unlessLate(reading, ms))?.value;
  }

  #freshMs(tookMs: number): number {
    const { freshMs, stretches } = this.#options;
    return stretches ? pauseMsAfter(tookMs, freshMs, Number.POSITIVE_INFINITY) : freshMs;
  }

  /** The next one who asks gets a new value. */
  expire(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#entries.set(key, { ...entry, until: 0 });
  }

  async #read(last: KeptValue<T> | undefined, read: () => Promise<T>): Promise<KeptValue<T>> {
    try {
      const value = await measured(this.#options.read, read, (error) => !isAway(error));
      return { value, at: Date.now() };
    } catch (error) {
      if (!last || !isAway(error)) throw error;
      return { ...last, error };
    }
  }

  #set(key: string, entry: Entry<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#options.most) this.#entries.delete(oldest!);
  }
}

/** A job that is gone, or a wrong filter, is an answer; a server that does not answer is none. */
const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ServerAway', 'WorkerAway', 'ArchiveAway'].includes(String(error.code));
