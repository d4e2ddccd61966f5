/** How far a log was read, so that a reopened stream neither repeats nor loses a line. */
export class LogPosition {
  #time?: string;
  /** Number of lines read with exactly that time. */
  #lines = 0;
  /** How many of these the reopened stream has yet to repeat; undefined once it is past them. */
  #repeated?: number;

  get time(): string | undefined {
    return this.#time;
  }

  reopened(): void {
    this.#repeated = this.#time === undefined ? undefined : this.#lines;
  }

  /** Whether the line was not read before. Records it if so. */
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

/** Compares RFC 3339 times to the nanosecond, in any zone and with any number of digits. */
export function compareTimes(a: string, b: string): number {
  const seconds = Math.floor(Date.parse(a) / 1000) - Math.floor(Date.parse(b) / 1000);
  return seconds || fractionOf(a) - fractionOf(b);
}

const fractionOf = (time: string) => Number(`0.${/\.(\d+)/.exec(time)?.[1] ?? '0'}`);
