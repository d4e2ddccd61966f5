export interface ReadTo {
  readonly time: string;
  readonly lines: number;
}

/** A log that is followed. */
export class FollowedLog {
  /** uid of the pod. */
  readonly pod: string;
  /** Whether everything that the log held when it was opened has been read. */
  caughtUp = false;
  /** Timestamp of the last line read, and how many were read with that: parts of a line share one. */
  readTo?: ReadTo;
  readonly #stopped = new AbortController();
  readonly #over = new AbortController();

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

  stop(): void {
    this.#stopped.abort();
  }
}
