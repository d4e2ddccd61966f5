/**
 * The clock of the API server, as its answers tell it to a second. Processes on several machines judge by it what one of
 * them grants until some time: their own clocks may differ. Each answer bounds the difference from below and from above.
 */
export class ServerClock {
  readonly #elapsed: () => number;
  /** By how much it is ahead of the time since this process began, in milliseconds. */
  #ahead: number | undefined;

  /** `elapsed`: grows with time, whatever happens to the clock of the machine. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Returns what `note` needs to know of a request that is sent now. */
  begin(): number {
    return this.#elapsed();
  }

  /** Takes in the header `Date` of an answer. Proxies may leave it out. */
  note(date: unknown, begunAt: number): void {
    const second = Date.parse(typeof date === 'string' ? date : '');
    if (Number.isNaN(second)) return;
    const least = second - this.#elapsed();
    const most = second + 1_000 - begunAt;
    this.#ahead = Math.min(Math.max(this.#ahead ?? least, least), most);
  }

  /** In epoch milliseconds: by the clock of this machine until the first answer. */
  now(): number {
    return this.#ahead === undefined ? Date.now() : Math.round(this.#ahead + this.#elapsed());
  }
}
