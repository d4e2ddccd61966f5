import { canonicalJson } from '../../language/canonical-json.ts';
import { errorMessage } from '../../language/error-message.ts';
import { shorten } from '../../language/shorten.ts';
import { CodecError } from '../../temporal/payloads.ts';

const WHY_LENGTH = 300;

/**
 * Reads the parts of a job. One that cannot be read is archived as missing: it does not get better, and the histories,
 * which have everything, are archived as they are. A codec may decode later: as long as there is time, a job waits for it.
 */
export class ReadableParts {
  readonly #isUrgent: boolean;
  readonly #missing = new Set<string>();

  constructor({ isUrgent }: { readonly isUrgent: boolean }) {
    this.#isUrgent = isUrgent;
  }

  /** What could not be read, and why. */
  get missing(): string[] {
    return [...this.#missing];
  }

  /** Returns what `read` does, or `otherwise` if it fails for good. */
  async orElse<T>(part: string, otherwise: T, read: () => T | Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof CodecError && !this.#isUrgent) throw error;
      this.#missing.add(`${part}: ${shorten(errorMessage(error), WHY_LENGTH)}`);
      return otherwise;
    }
  }

  /** Returns a value that an archive can hold, or `otherwise`. */
  recordable<T>(part: string, otherwise: T, value: T): Promise<T> {
    return this.orElse(part, otherwise, () => {
      canonicalJson(value);
      return value;
    });
  }
}
