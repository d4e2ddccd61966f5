import { ConnectionError } from '../../cluster/errors.ts';

/** What the API server gives of a log, piece by piece; an error is a stream that breaks. */
export type LogParts = readonly (string | Error)[];

export const broken = new ConnectionError('GET log', new Error('reset'));

/** A line with its time, a fraction of the same second. */
export const at = (fraction: string, text: string) => `2026-01-01T00:00:00.${fraction}Z ${text}\n`;

export async function* streamOf(parts: LogParts): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}
