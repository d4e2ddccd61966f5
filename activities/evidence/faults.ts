import { withoutRequest } from '../../cluster/errors.ts';
import { MESSAGE_LENGTH } from '../../contracts/digest.ts';
import { shorten } from '../../language/shorten.ts';

/** What could not be captured of a pod, and why. */
export class Faults {
  readonly #signal: AbortSignal;
  readonly #faults = new Set<string>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns the result of the work. Notes an error and returns undefined; rethrows only a cancellation. */
  async unless<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#signal.throwIfAborted();
      this.note(what, withoutRequest(error));
      return undefined;
    }
  }

  note(what: string, why: string): void {
    this.#faults.add(`${what}: ${why}`);
  }

  list(): string[] | undefined {
    return this.#faults.size > 0 ? [...this.#faults] : undefined;
  }

  /** The part for the workflow's history. */
  summary(): string | undefined {
    const missing = this.list()?.join('; ');
    return missing && shorten(missing, MESSAGE_LENGTH);
  }
}
