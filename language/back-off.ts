export interface BackOffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Returns the pause after a number of failures, from 1: each is twice as long as the one before, up to a limit. */
export const doubledPause = ({ firstMs, mostMs }: BackOffLimits, failures: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), mostMs);

/** Pauses between tries, until `reset`. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits) {
    this.#limits = limits;
  }

  /** In milliseconds. */
  next(): number {
    this.#failures += 1;
    return doubledPause(this.#limits, this.#failures);
  }

  reset(): void {
    this.#failures = 0;
  }
}
