import { BackOff, type BackOffLimits } from '../../language/back-off.ts';

interface Paused {
  readonly backOff: BackOff;
  readonly until: number;
}

/** Items that a repeated search leaves alone for a while, each longer from time to time. */
export class PausedItems {
  readonly #limits: BackOffLimits;
  readonly #items = new Map<string, Paused>();

  constructor(limits: BackOffLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#items.size;
  }

  has = (key: string): boolean => this.#items.has(key);

  isDue = (key: string, now: number): boolean => (this.#items.get(key)?.until ?? 0) <= now;

  pause(key: string, now: number): void {
    const backOff = this.#items.get(key)?.backOff ?? new BackOff(this.#limits);
    this.#items.set(key, { backOff, until: now + backOff.next() });
  }

  resume(key: string): void {
    this.#items.delete(key);
  }

  /** Forgets all others. */
  keepOnly(keys: Iterable<string>): void {
    const kept = new Set(keys);
    for (const key of this.#items.keys()) if (!kept.has(key)) this.#items.delete(key);
  }
}
