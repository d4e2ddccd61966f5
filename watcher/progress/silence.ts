import type { ClusterClient } from '../../cluster/client.ts';
import type { LogSource } from '../../cluster/follow-log.ts';
import { logLines } from '../../cluster/log-lines.ts';
import { compareTimes } from '../../cluster/log-position.ts';

/**
 * Result of a check whether a program's log is read: for how long the program has reported nothing, why it cannot be
 * read, or `behind` if it has reported something that is not read yet.
 */
export type SilenceCheck = 'behind' | { readonly silentMs?: number; readonly progressFault?: string };

/** Compares with the log's last line, since a stream that delivers nothing may be dead; `readTo`: time of the last line read. */
export async function hasReadLog(
  cluster: Pick<ClusterClient, 'log'>,
  { namespace, pod, container }: LogSource,
  { readTo, signal }: { readonly readTo: string | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  const options = { container, tailLines: 1, timestamps: true, signal };
  let last: string | undefined;
  for await (const { time } of logLines(await cluster.log(namespace, pod, options))) last = time;
  return last === undefined || (readTo !== undefined && compareTimes(last, readTo) <= 0);
}
