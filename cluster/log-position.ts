/** How far a log was read, so that what a stream repeats after a break is passed over and nothing is left out. */
export class LogPosition {
  #time?: string;
  /** Lines read of that very time. */
  #lines = 0;
  /** Of these, how many the present stream has yet to repeat; undefined once it is beyond them. */
  #repeated?: number;

  get time(): string | undefined {
    return this.#time;
  }

  reopened(): void {
    this.#repeated = this.#time === undefined ? undefined : this.#lines;
  }

  /** Whether the line was not read before. */
  isNew({ time }: { readonly time: string }): boolean {
    if (this.#repeated !== undefined && this.#isRepeated(time)) return false;
    this.#lines = time === this.#time ? this.#lines + 1 : 1;
    this.#time = time;
    return true;
  }

  #isRepeated(time: string): boolean {
    const order = compareTimes(time, this.#time!);
    if (order < 0) return true;
    if (order === 0 && this.#repeated! > 0) {
      this.#repeated!--;
      return true;
    }
    this.#repeated = undefined;
    return false;
  }
}

/** By when they were written, to the nanosecond, whatever the zone and however many digits. */
export function compareTimes(a: string, b: string): number {
  const seconds = Math.floor(Date.parse(a) / 1000) - Math.floor(Date.parse(b) / 1000);
  return seconds || fractionOf(a) - fractionOf(b);
}

const fractionOf = (time: string) => Number(`0.${/\.(\d+)/.exec(time)?.[1] ?? '0'}`);
