import { pause } from '../../cluster/back-off.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { isTransient } from '../../cluster/errors.ts';
import { LogPosition } from '../../cluster/log-position.ts';
import { splitLines, splitTimestamp } from './log-lines.ts';
import type { JobLogLine, JobLogOptions } from './log-options.ts';

const REOPEN_MS = 500;

/** One run of one container: a restart in place is another run, with a log of its own. */
export interface ContainerRun {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

type Options = Pick<JobLogOptions, 'timestamps' | 'tailLines' | 'sinceSeconds'> & {
  readonly signal: AbortSignal;
};

/** The lines of a run, to its end. A broken connection is opened again where it broke; each line comes once. */
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
        // What has no time is the kubelet's word, and not the program's.
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

/** The pod was deleted, or its container replaced, before its log was opened. */
const isGone = (error: unknown) => [400, 404].includes(Number((error as { status?: unknown }).status));
