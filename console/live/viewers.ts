import type { EventStream, StreamEvent } from './event-stream.ts';

/** The streams of those who look at one thing. */
export class Viewers {
  readonly #streams = new Set<EventStream>();
  readonly #lingersMs: number;
  readonly #leave: () => void;
  #lingering: NodeJS.Timeout | undefined;

  /** `leave` is called when nobody has looked for `lingersMs`: browsers that were cut off come back. */
  constructor(lingersMs: number, leave: () => void) {
    this.#lingersMs = lingersMs;
    this.#leave = leave;
  }

  add(stream: EventStream): void {
    clearTimeout(this.#lingering);
    this.#streams.add(stream);
    stream.onClose(() => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.linger();
    });
  }

  linger(): void {
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(this.#leave, this.#lingersMs);
    this.#lingering.unref();
  }

  send(event: StreamEvent): void {
    for (const stream of this.#streams) stream.send(event);
  }

  close(): void {
    clearTimeout(this.#lingering);
    for (const stream of this.#streams) stream.close();
  }
}
