/**
 * Jobs whose digests wait to be sent, by what is known of their workflows: `known` ones have answered a signal, `failing`
 * ones left the last signal without an answer. A signal may take ten seconds to fail.
 */
const LANES = ['known', 'new', 'failing'] as const;
export type Lane = (typeof LANES)[number];

/** Shares of the signals in flight. Any user can make jobs that fail: they leave room for those that work. */
const SHARES: Readonly<Record<Lane, number>> = { known: 0.8, new: 0.6, failing: 0.2 };

/** The queue of a fixed number of signals in flight. First in, first out in each lane. */
export class Lanes<T> {
  readonly #concurrency: number;
  readonly #waiting: Readonly<Record<Lane, Set<T>>> = {
    known: new Set(),
    new: new Set(),
    failing: new Set(),
  };
  readonly #inFlight: Record<Lane, number> = { known: 0, new: 0, failing: 0 };

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(lane: Lane, item: T): void {
    this.#waiting[lane].add(item);
  }

  clear(): void {
    for (const lane of LANES) this.#waiting[lane].clear();
  }

  /** Takes the next item for which there is room. */
  take(): { readonly item: T; readonly lane: Lane } | undefined {
    for (const lane of LANES) {
      const [item] = this.#waiting[lane];
      if (item === undefined || !this.#hasRoom(lane)) continue;
      this.#waiting[lane].delete(item);
      return { item, lane };
    }
    return undefined;
  }

  begun(lane: Lane): void {
    this.#inFlight[lane]++;
  }

  ended(lane: Lane): void {
    this.#inFlight[lane]--;
  }

  #hasRoom(lane: Lane): boolean {
    const { known, new: fresh, failing } = this.#inFlight;
    const isFull = known + fresh + failing >= this.#concurrency;
    return !isFull && this.#inFlight[lane] < Math.ceil(this.#concurrency * SHARES[lane]);
  }
}
