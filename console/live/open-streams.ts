import { DeniedError } from '../http/denied-error.ts';
import { consoleMetrics } from '../metrics.ts';

const MOST_STREAMS = 2_000;

/** The pages that follow what happens, by the person who looks. */
export class OpenStreams {
  readonly #people = new Map<string, number>();
  #count = 0;

  /** Throws `DeniedError` if there is no place for another one. */
  refuseIfFull(): void {
    if (this.#count >= MOST_STREAMS)
      throw new DeniedError(
        'TooManyStreams',
        'Too many pages are open. This one does not follow what happens.',
      );
  }

  /** Returns what is called when the stream has ended. */
  add(person: string): () => void {
    this.#change(person, 1);
    return () => this.#change(person, -1);
  }

  #change(person: string, by: 1 | -1): void {
    this.#count += by;
    const left = (this.#people.get(person) ?? 0) + by;
    if (left > 0) this.#people.set(person, left);
    else this.#people.delete(person);
    consoleMetrics.streams.set(this.#count);
    consoleMetrics.viewers.set(this.#people.size);
  }
}
