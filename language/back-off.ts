export interface BackOffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Pauses between tries: each is twice as long as the one before, up to a limit, until `reset`. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #nextMs: number;

  constructor(limits: BackOffLimits) {
    this.#limits = limits;
    this.#nextMs = limits.firstMs;
  }

  /** In milliseconds. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#limits.mostMs);
    return ms;
  }

  reset(): void {
    this.#nextMs = this.#limits.firstMs;
  }
}
