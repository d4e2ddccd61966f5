import { StringDecoder } from 'node:string_decoder';

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the node recorded it. */
  readonly time: string;
  readonly text: string;
}

/** Maximum length of a line; a program may write megabytes without a newline. */
const MOST_CHARACTERS = 16 * 1024;

/** Splits bytes into lines with their times. Drops lines without a time, which come from the kubelet. */
export async function* logLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<LogLine> {
  for await (const line of splitLines(chunks, MOST_CHARACTERS)) {
    const found = splitTimestamp(line);
    if (TIME.test(found.time)) yield found;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Splits `2026-11-21T08:00:00.123456789Z text` in two; the API server adds the time on request. */
export function splitTimestamp(line: string): LogLine {
  const end = line.indexOf(' ');
  return end < 0 ? { time: line, text: '' } : { time: line.slice(0, end), text: line.slice(end + 1) };
}

/** Splits bytes into lines of at most `most` characters. A last line without a line end counts. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.write(chunk).split('\n');
    rest = (rest + end).slice(0, most);
    for (const line of lines) {
      yield rest;
      rest = line.slice(0, most);
    }
  }
  if (rest) yield rest;
}
