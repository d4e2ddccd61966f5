import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem-error.ts';

/** A manifest that Temporal takes is smaller. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Reads the fields of a form. Throws `ProblemError` for another type, and for one that is too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? 'nothing';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new ProblemError(415, `Expected a form (application/x-www-form-urlencoded), got ${type}.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new ProblemError(413, `Expected at most ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
