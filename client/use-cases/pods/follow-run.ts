import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError, isTransient } from '../../../cluster/errors.ts';
import { splitLines, splitTimestamp } from '../../../cluster/log-lines.ts';
import { LogPosition } from '../../../cluster/log-position.ts';
import { pause } from '../../../language/timers.ts';
import type { JobLogLine, JobLogOptions } from './log-options.ts';

const REOPEN_MS = 500;

/** One run of one container. A restart in place is a new run with its own log. */
interface ContainerRun {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

type Options = Pick<JobLogOptions, 'timestamps' | 'tailLines' | 'sinceSeconds'> & {
  readonly signal: AbortSignal;
};

/** Yields the lines of a run, each once, until it ends. Resumes after a lost connection. */
export async function* readRun(
  cluster: Pick<ClusterClient, 'log'>,
  { namespace, pod, container }: ContainerRun,
  { signal, timestamps, tailLines, sinceSeconds }: Options,
): AsyncGenerator<JobLogLine> {
  const position = new LogPosition();
  while (!signal.aborted) {
    const begin = position.time === undefined ? { tailLines, sinceSeconds } : { sinceTime: position.time };
    try {
      const chunks = await cluster.log(namespace, pod, {
        ...{ container, follow: true, timestamps: true, signal },
        ...begin,
      });
      position.reopened();
      for await (const line of splitLines(chunks)) {
        const { time, text } = splitTimestamp(line);
        // Lines without a timestamp come from the kubelet, not from the program.
        if (Number.isNaN(Date.parse(time))) yield { pod, text: line };
        else if (position.isNew({ time })) yield { pod, text: timestamps ? line : text };
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) return;
      if (!isTransient(error)) throw error;
      await pause(REOPEN_MS, signal);
    }
  }
}

/** The pod was deleted or its container replaced before its log was opened. */
const isGone = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status);
