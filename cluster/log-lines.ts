import { StringDecoder } from 'node:string_decoder';

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the node recorded it. */
  readonly time: string;
  readonly text: string;
  /** The line goes on: nothing has ended it yet. */
  readonly isOpen?: true;
}

/** Maximum length of a line; a program may write megabytes without a newline. */
const MOST_CHARACTERS = 16 * 1024;

/**
 * Splits bytes into lines with their times. A carriage return ends a line, too: a progress bar may write no other end for
 * hours. Drops lines without a time, which come from the kubelet.
 */
export async function* logLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<LogLine> {
  /** Of the line that the part is from: only its begin has a time. */
  let time: string | undefined;
  for await (const { text, end } of splitParts(chunks, MOST_CHARACTERS)) {
    const own = splitTimestamp(text);
    const part = time === undefined || NODE_TIME.test(own.time) ? own : { time, text };
    const isRest = time !== undefined && part.text === '';
    time = end === '\r' ? part.time : undefined;
    if (!isRest && TIME.test(part.time)) yield end ? part : { ...part, isOpen: true };
  }
}

/** As nodes write it. After a carriage return only the local node does. */
const NODE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Splits `2026-11-21T08:00:00.123456789Z text` in two; the API server adds the time on request. */
export function splitTimestamp(line: string): LogLine {
  const end = line.indexOf(' ');
  return end < 0 ? { time: line, text: '' } : { time: line.slice(0, end), text: line.slice(end + 1) };
}

/** Splits bytes into lines. A last line without a line end counts. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.write(chunk).split('\n');
    rest += end;
    for (const line of lines) {
      yield rest;
      rest = line;
    }
  }
  if (rest) yield rest;
}

/** Splits bytes at line feeds and carriage returns, into parts of at most `most` characters, each with its end. */
async function* splitParts(
  chunks: AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<{ readonly text: string; readonly end: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    for (const part of decoder.write(chunk).split(AFTER_END)) {
      const [text = '', end = ''] = part.split(END);
      rest = (rest + text).slice(0, most);
      if (!end) continue;
      yield { text: rest, end };
      rest = '';
    }
  }
  if (rest) yield { text: rest, end: '' };
}

const AFTER_END = /(?<=[\r\n])/;
const END = /([\r\n])/;
