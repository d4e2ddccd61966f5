import type { ClusterClient } from './client.ts';
import { type LogLine, logLines } from './log-lines.ts';

interface TailSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
  readonly signal: AbortSignal;
}

/** A progress bar is many lines to us, and one to the kubelet. */
const MOST_LINES = 2_000;

/** What a reader of the last block of a bar needs: its time, and a frame that is whole. */
const HEAD_BYTES = 1_000;

/** Returns the last lines of a container with their times; of a single one its begin. */
export async function readTail(
  cluster: Pick<ClusterClient, 'log'>,
  source: TailSource,
  tailLines: number,
): Promise<readonly LogLine[]> {
  if (tailLines === 1) return lastLines(cluster, { ...source, limitBytes: HEAD_BYTES }, 1);
  const lines = await lastLines(cluster, source, tailLines);
  const [before, last] = lines.slice(-2);
  if (!before || before.time !== last?.time) return lines;
  // Of a line that goes on, a node tells the time only where reading begins: the last part has its own.
  const part = await lastLines(cluster, source, 1);
  const at = part[0]?.time;
  // What is cut begins in the midst of a frame.
  return at === undefined || at === last.time ? lines : [...lines, ...part.slice(part.length > 1 ? 1 : 0)];
}

async function lastLines(
  cluster: Pick<ClusterClient, 'log'>,
  { namespace, pod, ...options }: TailSource & { readonly limitBytes?: number },
  tailLines: number,
): Promise<readonly LogLine[]> {
  const chunks = await cluster.log(namespace, pod, { ...options, tailLines, timestamps: true });
  const lines: LogLine[] = [];
  for await (const line of logLines(chunks)) {
    lines.push(line);
    if (lines.length > 2 * MOST_LINES) lines.splice(0, MOST_LINES);
  }
  return lines;
}
