import { StringDecoder } from 'node:string_decoder';

/** Splits chunks into lines without their line ends. A last line without a line end counts. */
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

/** Splits `2026-11-21T08:00:00.123456789Z text` in two; the API server adds the time on request. */
export function splitTimestamp(line: string): { time: string; text: string } {
  const end = line.indexOf(' ');
  return end < 0 ? { time: line, text: '' } : { time: line.slice(0, end), text: line.slice(end + 1) };
}
