import { BackOff, pause } from './back-off.ts';
import type { ClusterClient } from './client.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { LogPosition } from './log-position.ts';

/** Of the cluster, all that is needed here. */
type Logs = Pick<ClusterClient, 'log'>;

export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface Following {
  readonly signal: AbortSignal;
  /** The pod has ended: its log is read to its end, and that is all. */
  readonly isOver: () => boolean;
  /** Why the log cannot be read now; gives how long to wait at least before the next try. */
  readonly onError: (error: unknown) => number;
}

/** All that was in the log when it was first opened has been told; what follows is said now. */
export const CAUGHT_UP = 'caught up';

/** How much of a log that is older than its reader is read: of a long one, the end. */
const TAIL_LINES = 2_000;
const PAUSE = { firstMs: 500, mostMs: 10_000 };

/**
 * A container's log from its last lines on, through restarts in place and broken streams, each line once, until the
 * pod has ended or the signal aborts.
 */
export async function* followLog(
  cluster: Logs,
  source: LogSource,
  { signal, isOver, onError }: Following,
): AsyncGenerator<LogLine | typeof CAUGHT_UP> {
  const position = new LogPosition();
  let caughtUp = false;
  const backOff = new BackOff(PAUSE);
  while (!signal.aborted) {
    let least = 0;
    const wasOver = isOver();
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
    await pause(Math.max(backOff.next(), least), signal);
  }
}

/** One request. What ended in the middle of a line is repeated by the next one. */
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
