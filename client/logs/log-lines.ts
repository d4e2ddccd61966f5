import { StringDecoder } from 'node:string_decoder';

/** Bytes as they arrive -> lines without their end; a last line without an end counts. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

/** `2026-11-21T08:00:00.123456789Z text` -> its two parts; the API server writes lines so when asked for times. */
export function splitTimestamp(line: string): { time: string; text: string } {
  const end = line.indexOf(' ');
  return end < 0 ? { time: line, text: '' } : { time: line.slice(0, end), text: line.slice(end + 1) };
}
