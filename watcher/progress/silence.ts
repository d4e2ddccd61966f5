import type { ClusterClient } from '../../cluster/client.ts';
import type { LogSource } from '../../cluster/follow-log.ts';
import { logLines } from '../../cluster/log-lines.ts';
import { compareTimes } from '../../cluster/log-position.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { ReadTo } from './followed-log.ts';

/**
 * Result of a check whether a program's log is read: for how long the program has reported nothing and in how many lines,
 * why it cannot be read, or `behind` if it has reported something that is not read yet.
 */
export type SilenceCheck =
  | 'behind'
  | {
      readonly silentMs?: number;
      readonly silentPod?: Digest['silentPod'];
      readonly linesRead?: number;
      readonly progressFault?: string;
    };

/**
 * Compares with what the log has since the last line that was read, since a stream that delivers nothing may be dead. A
 * line that nothing has ended does not count yet.
 */
export async function hasReadLog(
  cluster: Pick<ClusterClient, 'log'>,
  { namespace, pod, container }: LogSource,
  { readTo, signal }: { readonly readTo: ReadTo | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  const from = readTo ? { sinceTime: readTo.time } : { tailLines: 1 };
  const chunks = await cluster.log(namespace, pod, { container, ...from, timestamps: true, signal });
  let lines = 0;
  for await (const { time, isOpen } of logLines(chunks)) {
    const order = readTo ? compareTimes(time, readTo.time) : 1;
    if (isOpen || order < 0) continue;
    if (order > 0 || ++lines > readTo!.lines) return false;
  }
  return true;
}
