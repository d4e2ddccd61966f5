import type { LogExcerpt } from '../../contracts/evidence-record.ts';
import type { ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { LogTail } from './log-tail.ts';
import type { Nodes } from './nodes.ts';

/** Limit for one log; a longer log loses its beginning. */
const KEPT_BYTES = 64 * 1024;
/**
 * Kubernetes would cut the end of a log, which is most informative, so more is read than kept: as much as a container's
 * log holds before it is rotated.
 */
const READ_BYTES = 16 * 1024 * 1024;
/** A live kubelet answers within milliseconds. The API server would wait 30 seconds for a dead one. */
export const LOG_MS = 5_000;

export interface LogRequest {
  readonly pod: Pod;
  readonly container: string;
  readonly previous: boolean;
  readonly lines: number;
  readonly signal: AbortSignal;
}

/** The log up to an error, and the error. */
export interface ReadLog {
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

/** Kubernetes keeps the log of a container's present run, and of the previous run after a restart. */
export const runsWithLog = ({ state, lastState, restartCount }: ContainerStatus) => ({
  present: Boolean(state?.running || state?.terminated),
  previous: Boolean(restartCount && lastState?.terminated),
});
