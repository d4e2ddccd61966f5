import type { SizeInEtcd } from '../../frameworks/framework.ts';

/** How long one server may take to answer. */
const ANSWER_MS = 3_000;

/**
 * Tells elastic launchers their number, as paddle-operator does: only where they have written one themselves, so that
 * nothing is left in etcd that nobody removes. Idempotent: the same number again changes nothing. Speaks etcd's JSON
 * gateway: two requests are no reason for a gRPC client.
 */
export async function publishSize({ servers, key, size }: SizeInEtcd, signal?: AbortSignal): Promise<void> {
  const failures: string[] = [];
  for (const server of servers) {
    try {
      return await writeIfThere({ server, signal }, key, String(size));
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${server}: ${(error as Error).message}`);
    }
  }
  throw new Error(`etcd could not be told the number of workers: ${failures.join('; ')}`);
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
