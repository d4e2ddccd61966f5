import { setTimeout as delay } from 'node:timers/promises';

/** A measurement did not come to its end in time. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
}

/** Counts different things as they happen, and notes when the last of them did. Times are `performance.now()`. */
export class Milestone {
  readonly #what: string;
  readonly #wanted: number;
  readonly #times = new Map<string, number>();
  readonly #reached = Promise.withResolvers<number>();

  constructor(what: string, wanted: number) {
    this.#what = what;
    this.#wanted = wanted;
  }

  /** The first time counts. */
  note(id: string, at: number): void {
    if (this.#times.has(id)) return;
    this.#times.set(id, at);
    if (this.#times.size === this.#wanted) this.#reached.resolve(at);
  }

  timeOf(id: string): number | undefined {
    return this.#times.get(id);
  }

  /** When the last one happened; throws `IncompleteError` if that takes longer than `limitMs` from now. */
  async reached(limitMs: number): Promise<number> {
    const over = new AbortController();
    const timeOut = delay(limitMs, undefined, { signal: over.signal }).then(() => {
      const got = this.#times.size;
      throw new IncompleteError(
        `expected within ${limitMs / 1000} s: ${this.#wanted} ${this.#what}; got ${got}`,
      );
    });
    try {
      return await Promise.race([this.#reached.promise, timeOut]);
    } finally {
      over.abort();
      timeOut.catch(() => undefined);
    }
  }
}
