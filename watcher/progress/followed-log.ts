export interface ReadTo {
  readonly time: string;
  readonly lines: number;
}

/** A log that is followed, and when its reports were last passed on. */
export class FollowedLog {
  /** uid of the pod. */
  readonly pod: string;
  /** Whether everything that the log held when it was opened has been read. */
  caughtUp = false;
  /** Timestamp of the last line read, and how many were read with that: parts of a line share one. */
  readTo?: ReadTo;
  readonly #stopped = new AbortController();
  readonly #over = new AbortController();
  /** Runs while a report waits to be passed on. */
  #timer?: NodeJS.Timeout;
  #notifiedAt = 0;

  constructor(pod: string) {
    this.pod = pod;
  }

  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Aborts when the pod has ended. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  podEnded(): void {
    this.#over.abort();
  }

  read(time: string): void {
    this.readTo = { time, lines: time === this.readTo?.time ? this.readTo.lines + 1 : 1 };
  }

  get isReportWaiting(): boolean {
    return this.#timer !== undefined;
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  /** Passes on the first report after a pause at once and bundles later ones. */
  notify(everyMs: number, passOn: () => void): void {
    if (this.#timer) return;
    const fire = () => {
      this.#timer = undefined;
      this.#notifiedAt = Date.now();
      passOn();
    };
    this.#timer = setTimeout(fire, Math.max(0, this.#notifiedAt + everyMs - Date.now()));
  }
}
