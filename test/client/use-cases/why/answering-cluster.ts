import { ClusterClient } from '../../../../cluster/client.ts';
import { ApiError } from '../../../../cluster/errors.ts';
import { Reading } from '../../../../cluster/reading.ts';
import type { Requests } from '../../../../cluster/transport.ts';

/** Answers by the path of a request, without its query: an object, a list, or the status of a refusal. Else 404. */
export type Answers = Readonly<Record<string, object | 403>>;

interface Answering {
  readonly reading: Reading;
  /** The requests that were sent. */
  readonly sent: string[];
  /** What was sent with those that write. */
  readonly written: unknown[];
}

/** Returns what reads such a cluster. `refuses`: the status and reason of the answer to whoever writes. */
export function readingOf(answers: Answers, refuses?: { status: number; reason: string }): Answering {
  const sent: string[] = [];
  const written: unknown[] = [];
  const transport: Requests = {
    json: async <R>(method: string, path: string, body?: unknown, headers: object = {}): Promise<R> => {
      sent.push(`${method} ${path}${'accept' in headers ? ' (metadata)' : ''}`);
      if (method !== 'GET') written.push(body);
      if (method !== 'GET' && refuses) throw new ApiError(path, { ...refuses, message: 'not now' });
      const answer = answers[path.split('?')[0]!];
      if (answer === 403) throw new ApiError(path, { status: 403, reason: 'Forbidden', message: 'no right' });
      if (!answer) throw new ApiError(path, { status: 404, reason: 'NotFound', message: 'not found' });
      return answer as R;
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: async () => undefined,
  };
  const access = {
    namespace: 'ml',
    server: 'https://cluster',
    tls: async () => ({}),
    headers: async () => ({}),
  };
  return { reading: new Reading(new ClusterClient(access, {}, transport)), sent, written };
}

export const list = (...items: object[]) => ({ metadata: { resourceVersion: '1' }, items });

/** What the API server says that it serves of a group. */
export const served = (...names: string[]) => ({ resources: names.map((name) => ({ name, kind: name })) });
