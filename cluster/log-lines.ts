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
