import { StringDecoder } from 'node:string_decoder';

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the node wrote it. */
  readonly time: string;
  readonly text: string;
}

/** What of a line is looked at: a program may write megabytes without an end of line. */
const MOST_CHARACTERS = 16 * 1024;

/** Bytes as they arrive -> lines with their times. What has none is not the program's: the kubelet says it. */
export async function* logLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<LogLine> {
  for await (const line of cutLines(chunks)) {
    const end = line.indexOf(' ');
    const time = end < 0 ? line : line.slice(0, end);
    if (TIME.test(time)) yield { time, text: end < 0 ? '' : line.slice(end + 1) };
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.write(chunk).split('\n');
    rest = (rest + end).slice(0, MOST_CHARACTERS);
    for (const line of lines) {
      yield rest;
      rest = line.slice(0, MOST_CHARACTERS);
    }
  }
  if (rest) yield rest;
}

/** How far a log was read, so that what a stream repeats after a break is passed over and nothing is left out. */
export class LogPosition {
  #time?: string;
  /** Lines read of that very time. */
  #lines = 0;
  /** Of these, how many the present stream has yet to repeat; undefined once it is beyond them. */
  #repeated?: number;

  get time(): string | undefined {
    return this.#time;
  }

  reopened(): void {
    this.#repeated = this.#time === undefined ? undefined : this.#lines;
  }

  /** Whether the line was not read before. */
  isNew({ time }: LogLine): boolean {
    if (this.#repeated !== undefined && this.#isRepeated(time)) return false;
    this.#lines = time === this.#time ? this.#lines + 1 : 1;
    this.#time = time;
    return true;
  }

  #isRepeated(time: string): boolean {
    const order = compareTimes(time, this.#time!);
    if (order < 0) return true;
    if (order === 0 && this.#repeated! > 0) {
      this.#repeated!--;
      return true;
    }
    this.#repeated = undefined;
    return false;
  }
}

/** By when they were written, to the nanosecond, whatever the zone and however many digits. */
export function compareTimes(a: string, b: string): number {
  const seconds = Math.floor(Date.parse(a) / 1000) - Math.floor(Date.parse(b) / 1000);
  return seconds || fractionOf(a) - fractionOf(b);
}

const fractionOf = (time: string) => Number(`0.${/\.(\d+)/.exec(time)?.[1] ?? '0'}`);
