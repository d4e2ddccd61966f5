import type { Dispatcher } from 'undici';
import type { Resource } from '../contracts/kubernetes.ts';
import { isAbortError } from '../language/error-code.ts';
import { ApiError, ConnectionError } from './errors.ts';

/** The wire format of the Kubernetes API: paths, queries, bodies, streams of lines. */

/** Returns the path of a kind of object in a namespace, or, without one, in all of them. */
export function pathOf(
  { apiVersion, plural, namespaced }: Resource,
  namespace: string | undefined,
  ...names: readonly string[]
): string {
  const group = apiVersion.includes('/') ? ['apis', ...apiVersion.split('/')] : ['api', apiVersion];
  const place = namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  return `/${[...group, ...place, plural, ...names].map(segmentOf).join('/')}`;
}

/**
 * Encodes one segment. A name from a user's object must not lead to another path. Empty and dotted segments would,
 * because they are resolved away, and so would slashes, because the API server decodes a path before it splits it. No
 * name in Kubernetes contains these.
 */
function segmentOf(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new TypeError(`expected the name of a Kubernetes object or namespace, got ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}

export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length
    ? `?${new URLSearchParams(Object.fromEntries(given.map(([key, value]) => [key, String(value)])))}`
    : '';
}

export function deleteBody({ uid, ...options }: DeleteOptions) {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options, preconditions: uid ? { uid } : undefined };
}

export async function refusal(what: string, answer: Dispatcher.ResponseData): Promise<ApiError> {
  const text = await answer.body.text().catch(connectionLost(what));
  const retryAfter = Number(answer.headers['retry-after']);
  const status = parseStatus(text);
  return new ApiError(what, {
    status: answer.statusCode,
    reason: status.reason ?? 'Unknown',
    message: status.message ?? text.slice(0, 500),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
  });
}

/** Returns the warnings of an answer, e.g. `unknown field "spec.nodeSelectr"`. Source: RFC 7234, section 5.5. */
export function warningsIn(header: string | string[] | undefined): string[] {
  const texts = [header ?? []].flat().flatMap((line) => [...line.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)]);
  return texts.map(([, text]) => text!.replace(/\\(.)/g, '$1'));
}

function parseStatus(text: string): { reason?: string; message?: string } {
  try {
    return JSON.parse(text) as { reason?: string; message?: string };
  } catch {
    return {};
  }
}

/** Yields the chunks of an answer; throws a ConnectionError when it breaks off. */
export async function* chunksOf(body: AsyncIterable<Buffer>, what: string): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    connectionLost(what)(cause);
  }
}

/** For `catch` while an answer is read. */
export const connectionLost =
  (what: string) =>
  (cause: unknown): never => {
    throw isAbortError(cause) ? cause : new ConnectionError(what, cause);
  };

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) yield line;
  }
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  /** Delete only this object, not a later one of the same name. */
  readonly uid?: string;
}
