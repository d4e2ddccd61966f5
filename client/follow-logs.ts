import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../cluster/client.ts';
import { isTransient } from '../cluster/errors.ts';
import { reflect } from '../cluster/reflector.ts';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { isOwnedBy, untilAnchored } from './anchored.ts';
import { linesOf, splitTimestamp } from './log-lines.ts';
import type { LoggedJob, LogLine, LogOptions } from './log-options.ts';
import { selectionOf, startedContainer } from './pod-selection.ts';

/** How long containers that are still writing may go on after the job's end. */
const LAST_LINES_MS = 5_000;
const REOPEN_MS = 500;

/** One run of one container: a restart in place is another run, with a log of its own. */
interface ContainerRun {
  readonly pod: string;
  readonly container: string;
}

/**
 * Watches the job's pods, reads each container run from its start, and ends with the job. Readers write into one
 * bounded stream, so that a slow consumer slows them down instead of filling the memory.
 */
export async function* followLogs(
  cluster: ClusterClient,
  job: LoggedJob,
  options: LogOptions,
): AsyncGenerator<LogLine> {
  const stopped = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal;
  const lines = new PassThrough({ objectMode: true, highWaterMark: 1_000 });
  const following = follow(cluster, job, { ...options, signal }, lines, () => stopped.abort());
  following.then(
    () => lines.end(),
    (error) => lines.destroy(error),
  );
  try {
    yield* lines as AsyncIterable<LogLine>;
  } finally {
    stopped.abort();
    await following.catch(() => undefined);
  }
}

async function follow(
  cluster: ClusterClient,
  job: LoggedJob,
  options: LogOptions & { readonly signal: AbortSignal },
  lines: PassThrough,
  stop: () => void,
): Promise<void> {
  const end = job.end();
  end.catch(() => undefined); // Awaited below.
  const anchor = await Promise.race([untilAnchored(cluster, job, options.signal), end.then(() => undefined)]);
  if (anchor === undefined) return stop();
  const readers = new Map<string, Promise<void>>();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const seen = (pod: Pod) => {
    const status = startedContainer(pod, options.container, anchor);
    const key = `${pod.metadata.uid}/${status?.restartCount ?? 0}`;
    if (!status || readers.has(key) || !isOwnedBy(pod, anchor.uid)) return;
    const run = { pod: pod.metadata.name, container: status.name };
    const reader = readRun(cluster, job.namespace, run, options, lines);
    readers.set(key, reader);
    reader.catch(reject);
  };
  const handlers = {
    replaced: (pods: readonly Pod[]) => pods.forEach(seen),
    changed: seen,
    deleted: () => undefined,
  };
  const watching = reflect(
    cluster,
    { resource: PODS, selection: selectionOf(job, options, anchor) },
    handlers,
    options.signal,
  );
  await Promise.race([end, broken]);
  await Promise.race([Promise.allSettled(readers.values()), delay(LAST_LINES_MS, undefined, { ref: false })]);
  stop();
  await watching;
}

/** Reads to the end of the run; a broken connection is opened again, without repeating a line. */
async function readRun(
  cluster: ClusterClient,
  namespace: string,
  run: ContainerRun,
  options: LogOptions & { readonly signal: AbortSignal },
  lines: PassThrough,
): Promise<void> {
  const { signal, timestamps, tailLines, sinceSeconds } = options;
  let last = '';
  for (let opened = 0; !signal.aborted; opened++) {
    const begin = opened === 0 ? { tailLines, sinceSeconds } : {};
    try {
      const chunks = await cluster.log(namespace, run.pod, {
        ...{ container: run.container, follow: true, timestamps: true, signal },
        ...begin,
      });
      for await (const line of linesOf(chunks)) {
        const { time, text } = splitTimestamp(line);
        if (time <= last && opened > 0) continue;
        last = time;
        await write(lines, { pod: run.pod, text: timestamps ? line : text }, signal);
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error) && !isBrokenStream(error)) {
        if (isGone(error)) return;
        throw error;
      }
      await delay(REOPEN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function write(lines: PassThrough, line: LogLine, signal: AbortSignal): Promise<void> {
  if (!lines.write(line)) await once(lines, 'drain', { signal });
}

const isBrokenStream = (error: unknown) =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(String((error as { code?: unknown }).code));

/** The pod was deleted, or its container replaced, before its log was opened. */
const isGone = (error: unknown) => [400, 404].includes(Number((error as { status?: unknown }).status));
