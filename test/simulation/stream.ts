import type { ModelProcess } from './process.ts';

/** Lines that reach their reader when the simulation says so. */
export abstract class Stream {
  readonly process: ModelProcess;
  abstract readonly name: string;
  /** Nothing arrives any more, and nobody says so. */
  isSilent = false;
  lastAt = Date.now();
  readonly #closed: (stream: Stream) => void;
  #lines: string[] = [];
  #end: { readonly error?: Error } | undefined;
  #isOver = false;
  #arrived: string[] = [];
  #wake: () => void = () => undefined;

  constructor(process: ModelProcess, closed: (stream: Stream) => void) {
    this.process = process;
    this.#closed = closed;
  }

  get hasNews(): boolean {
    if (this.#isOver) return false;
    return (!this.isSilent && this.#lines.length > 0) || this.#end !== undefined;
  }

  /** Nothing arrives on a broken connection. */
  push(line: string): void {
    if (!this.#end) this.#lines.push(line);
  }

  /** The connection breaks, or the server ends the stream. */
  fail(error?: Error): void {
    this.#end ??= { error };
  }

  /** All that is there arrives. */
  deliver(): void {
    if (!this.isSilent) this.#arrived.push(...this.#lines.splice(0));
    this.lastAt = Date.now();
    if (this.#end) this.#isOver = true;
    this.#wake();
  }

  async *read(signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    const aborted = () => {
      this.#end = { error: signal?.reason as Error };
      this.#isOver = true;
      this.#wake();
    };
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      signal?.throwIfAborted();
      for (;;) {
        for (const line of this.#arrived.splice(0)) yield Buffer.from(`${line}\n`);
        if (this.#isOver && this.#arrived.length === 0) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (this.#arrived.length > 0 || this.#isOver) resolve();
        });
      }
      if (this.#end?.error) throw this.#end.error;
    } finally {
      signal?.removeEventListener('abort', aborted);
      this.#isOver = true;
      this.#closed(this);
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }
}

export class LogStream extends Stream {
  readonly name = 'a log';
}
