import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WebAnswer } from './answer.ts';

const compress = promisify(gzip);

/** Less is not worth the work. */
const LEAST_BYTES = 1_000;

/** Sends an answer: compressed where the client takes that, and without its body if the client has it already. */
export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type = 'text/html; charset=utf-8', body = '', headers = {}, stream }: WebAnswer,
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries({ ...ALWAYS, ...headers })) response.setHeader(name, value);
  if (stream) return stream(response);
  const bytes = Buffer.from(body);
  const isCompressed =
    bytes.length >= LEAST_BYTES && /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const etag = headers.etag ?? `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  response.setHeader('vary', 'accept-encoding, cookie, authorization');
  if (status === 200) response.setHeader('etag', etag);
  if (status === 200 && request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  if (bytes.length > 0) response.setHeader('content-type', type);
  const sent = isCompressed ? await compress(bytes) : bytes;
  if (isCompressed) response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-length', sent.length);
  response.writeHead(status).end(request.method === 'HEAD' ? undefined : sent);
}

/** Of every answer; pages have their own policy beside these. */
const ALWAYS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
