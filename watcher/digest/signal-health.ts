import { pause } from '../../language/timers.ts';

interface SignalHealthOptions {
  /** Throws if Temporal takes no signals at present. */
  readonly probe: () => Promise<void>;
  /** Called with why Temporal takes no signals; with undefined once it does. */
  readonly report: (trouble: unknown) => void;
}

const PAUSE_MS = 1_000;

/**
 * Knows whether Temporal takes signals. One job whose digests cannot be sent says nothing about the others: any user who
 * may write ConfigMaps in a namespace can make such a job. So a failure only causes a probe.
 */
export class SignalHealth {
  readonly #options: SignalHealthOptions;
  readonly #signal: AbortSignal;
  #probing?: Promise<void>;

  constructor(options: SignalHealthOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** A signal was answered. */
  answered(): void {
    this.#options.report(undefined);
  }

  failed(): void {
    this.#probing ??= this.#probeUntilAnswered().finally(() => {
      this.#probing = undefined;
    });
  }

  async #probeUntilAnswered(): Promise<void> {
    while (!this.#signal.aborted) {
      const trouble = await this.#options.probe().then(() => undefined, asTrouble);
      if (this.#signal.aborted) return;
      this.#options.report(trouble);
      if (trouble === undefined) return;
      await pause(PAUSE_MS, this.#signal);
    }
  }
}

const asTrouble = (error: unknown) => error ?? 'Temporal does not answer';
