import type { Pod } from '../../contracts/kubernetes.ts';
import type { LogExcerpt } from '../../contracts/types.ts';
import { KEPT_BYTES, LOG_MS, READ_BYTES } from '../../evidence/kept-logs.ts';
import { LogTail } from '../../evidence/log-tail.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { Nodes } from './nodes.ts';

interface LogRequest {
  readonly pod: Pod;
  readonly container: string;
  readonly previous: boolean;
  readonly lines: number;
  readonly signal: AbortSignal;
}

/** The log up to an error, and the error. */
interface ReadLog {
  readonly log?: LogExcerpt;
  readonly fault?: string;
}

/** Returns the last lines of a container's log, within a bounded time. */
export async function readLog(
  { cluster, bulk }: Pick<Dependencies, 'cluster' | 'bulk'>,
  nodes: Nodes,
  { pod, container, previous, lines, signal }: LogRequest,
): Promise<ReadLog> {
  const { nodeName } = pod.spec;
  const hopeless = nodeName ? await nodes.whyNoLog(nodeName) : 'the pod never had a node';
  if (hopeless) return { fault: hopeless };
  const { namespace, name } = pod.metadata;
  const options = { container, previous: previous || undefined, tailLines: lines, limitBytes: READ_BYTES };
  const tail = new LogTail(KEPT_BYTES);
  return bulk.run(async () => {
    const limit = AbortSignal.timeout(LOG_MS);
    try {
      const until = AbortSignal.any([signal, limit]);
      for await (const chunk of await cluster.log(namespace!, name, { ...options, signal: until }))
        tail.add(chunk);
      return { log: tail.excerpt() };
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      nodes.noteSilence(nodeName!);
      const log = tail.excerpt();
      return { log: log.lines.length > 0 ? log : undefined, fault: `no answer within ${LOG_MS / 1000} s` };
    }
  });
}
