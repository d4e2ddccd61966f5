import { BackOff } from '../language/back-off.ts';
import { pause } from '../language/timers.ts';
import type { ClusterClient } from './client.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { LogPosition } from './log-position.ts';

type Logs = Pick<ClusterClient, 'log'>;

export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

interface Following {
  readonly signal: AbortSignal;
  /** Aborts when the pod has ended: following then stops at the end of the log. */
  readonly over: AbortSignal;
  /** Called when the log cannot be read now; returns the minimum delay before the next try, in milliseconds. */
  readonly onError: (error: unknown) => number;
}

/** Yielded after the lines that were in the log when it was first opened. Later lines are new. */
export const CAUGHT_UP = 'caught up';

/** Number of lines read from the end of a log that is older than its reader. */
const TAIL_LINES = 2_000;
const PAUSE = { firstMs: 500, mostMs: 10_000 };

/**
 * Yields a container's log from its last lines on, through restarts in place and broken streams, each line once. Ends
 * when the pod has ended or the signal aborts.
 */
export async function* followLog(
  cluster: Logs,
  source: LogSource,
  { signal, over, onError }: Following,
): AsyncGenerator<LogLine | typeof CAUGHT_UP> {
  const position = new LogPosition();
  let caughtUp = false;
  const backOff = new BackOff(PAUSE);
  while (!signal.aborted) {
    let least = 0;
    const wasOver = over.aborted;
    try {
      for await (const line of readOn(cluster, source, { signal, position, follow: caughtUp })) {
        backOff.reset();
        yield line;
      }
      if (caughtUp && wasOver) return;
      if (!caughtUp) {
        caughtUp = true;
        yield CAUGHT_UP;
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      least = onError(error);
    }
    // The end of the pod cuts a pause short, once, because a digest may wait for the last lines.
    await pause(Math.max(backOff.next(), least), wasOver ? signal : AbortSignal.any([signal, over]));
  }
}

/** Reads the log with one request. If it breaks within a line, the next request repeats that line. */
async function* readOn(
  cluster: Logs,
  { namespace, pod, container }: LogSource,
  { signal, position, follow }: { signal: AbortSignal; position: LogPosition; follow: boolean },
): AsyncGenerator<LogLine> {
  const { time: sinceTime } = position;
  const tailLines = follow || sinceTime ? undefined : TAIL_LINES;
  const options = { container, follow, timestamps: true, sinceTime, tailLines, signal };
  const chunks = await cluster.log(namespace, pod, options);
  position.reopened();
  for await (const line of logLines(chunks)) if (position.isNew(line)) yield line;
}
