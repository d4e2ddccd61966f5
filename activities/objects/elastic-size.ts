import type { SizeInEtcd } from '../../frameworks/model/framework.ts';
import { errorMessage } from '../../language/error-message.ts';

/** Time limit for the answer of one server. */
const ANSWER_MS = 3_000;

/**
 * Publishes the number of workers to elastic launchers, as paddle-operator does. Writes only if they have written a
 * number themselves, so that no key stays behind in etcd. Idempotent: the same number changes nothing. Uses etcd's JSON
 * gateway: two requests do not justify a gRPC client.
 */
export async function publishSize({ servers, key, size }: SizeInEtcd, signal?: AbortSignal): Promise<void> {
  const failures: string[] = [];
  for (const server of servers) {
    try {
      return await writeIfThere({ server, signal }, key, String(size));
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${server}: ${errorMessage(error)}`);
    }
  }
  throw new Error(`the number of workers could not be written to etcd: ${failures.join('; ')}`);
}

interface Etcd {
  readonly server: string;
  readonly signal: AbortSignal | undefined;
}

async function writeIfThere(etcd: Etcd, key: string, value: string): Promise<void> {
  const { kvs = [] } = (await ask(etcd, 'range', { key: encoded(key) })) as { kvs?: { value: string }[] };
  const [known] = kvs;
  if (!known || known.value === encoded(value)) return;
  await ask(etcd, 'put', { key: encoded(key), value: encoded(value) });
}

async function ask({ server, signal }: Etcd, what: 'range' | 'put', body: object): Promise<unknown> {
  const timeOut = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(new URL(`/v3/kv/${what}`, server), {
    method: 'POST',
    body: JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.json();
}

const encoded = (text: string) => Buffer.from(text).toString('base64');
