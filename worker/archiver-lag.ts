/**
 * How long ago the archiver last looked for ended jobs. Counts by a clock that does not jump, as that of this machine may be
 * wrong: only the first look that is seen is compared with it.
 */
export class ArchiverLag {
  readonly #elapsed: () => number;
  /** Temporal's time of the newest look. */
  #lookedAt: number | undefined;
  #countedFrom: number;

  /** `elapsed`: milliseconds of a clock that does not jump. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
    this.#countedFrom = elapsed();
  }

  /** Takes when the archiver looked, and when it is by this machine's clock: both in epoch milliseconds. */
  saw(lookedAt: number, now = Date.now()): void {
    if (this.#lookedAt !== undefined && lookedAt <= this.#lookedAt) return;
    const ageMs = this.#lookedAt === undefined ? Math.max(0, now - lookedAt) : 0;
    this.#lookedAt = lookedAt;
    this.#countedFrom = this.#elapsed() - ageMs;
  }

  /** Since this was made, if no look was ever seen. */
  seconds(): number {
    return (this.#elapsed() - this.#countedFrom) / 1000;
  }
}
