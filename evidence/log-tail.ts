const LINE_END = 0x0a;

/** Keeps the last lines of a log of any length: the end is most informative. */
import type { LogExcerpt } from '../contracts/types.ts';
export class LogTail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    // Bounds memory and copying; excerpt() cuts to the limit itself.
    if (this.#bytes.length > 2 * this.#limit) this.#cut();
  }

  excerpt(): LogExcerpt {
    if (this.#bytes.length > this.#limit) this.#cut();
    const bytes = this.#isCut ? afterFirstLineEnd(this.#bytes) : this.#bytes;
    const lines = bytes.toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    return { lines, isCut: this.#isCut };
  }

  #cut(): void {
    // Keep one byte more: if it ends a line, the next line is complete.
    this.#bytes = this.#bytes.subarray(-(this.#limit + 1));
    this.#isCut = true;
  }
}

/** Cuts a single line that exceeds the limit between two characters. */
function afterFirstLineEnd(bytes: Buffer): Buffer {
  const end = bytes.indexOf(LINE_END);
  if (end >= 0 && end < bytes.length - 1) return bytes.subarray(end + 1);
  let start = 1;
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
