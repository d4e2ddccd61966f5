import { EventEmitter } from 'node:events';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

export type Stream = 'stdout' | 'stderr';

type Tag = 'F' | 'P' | 'R';

/** Like container runtimes, writes longer lines in parts, so that an endless line takes no memory. */
const LONGEST_LINE = 16 * 1024;

/**
 * Writes a container's output in the format of container runtimes (CRI), a line each:
 * `2026-01-02T03:04:05.123456789Z stdout F text`, where F marks a full line and P a part that goes on. Unlike them, also
 * writes what ends with a carriage return, marked R, at once: a progress bar may write no line end for hours.
 * Emits `grown` after each write and `closed` at the end.
 */
export class LogWriter extends EventEmitter<{ grown: []; closed: [] }> {
  readonly path: string;
  readonly #file: number;
  readonly #rest: Record<Stream, string> = { stdout: '', stderr: '' };
  readonly #decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
  readonly #now: () => Date;
  #closed = false;

  constructor(path: string, now = () => new Date()) {
    super();
    this.setMaxListeners(0);
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = openSync(path, 'w', 0o600);
    this.#now = now;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  write(stream: Stream, chunk: Buffer): void {
    if (this.#closed) return;
    const lines = (this.#rest[stream] + this.#decoders[stream].write(chunk)).split('\n');
    const returned = (lines.pop() ?? '').split('\r');
    const rest = inParts(returned.pop() ?? '');
    this.#rest[stream] = rest.pop() ?? '';
    const time = nanoseconds(this.#now());
    const render = (part: string, tag: Tag) => `${time} ${stream} ${tag} ${part}\n`;
    const renderLine = (line: string, tag: Tag) => {
      const parts = inParts(line);
      const last = parts.pop() ?? '';
      return parts.map((part) => render(part, 'P')).join('') + render(last, tag);
    };
    const written = [
      ...lines.map((line) => renderLine(line, 'F')),
      ...returned.map((line) => renderLine(line, 'R')),
      ...rest.map((part) => render(part, 'P')),
    ];
    if (written.length === 0) return;
    writeSync(this.#file, written.join(''));
    this.emit('grown');
  }

  close(): void {
    if (this.#closed) return;
    const time = nanoseconds(this.#now());
    for (const [stream, rest] of Object.entries(this.#rest)) {
      if (rest) writeSync(this.#file, `${time} ${stream} P ${rest}\n`);
    }
    closeSync(this.#file);
    this.#closed = true;
    this.emit('closed');
  }
}

/** Never splits a surrogate pair. */
function inParts(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (line.length - from > LONGEST_LINE) {
    const end = from + LONGEST_LINE;
    const isSplit = /[\uD800-\uDBFF]/.test(line.charAt(end - 1));
    parts.push(line.slice(from, isSplit ? end - 1 : end));
    from = isSplit ? end - 1 : end;
  }
  return [...parts, line.slice(from)];
}

function nanoseconds(date: Date): string {
  return date.toISOString().replace('Z', '000000Z');
}
