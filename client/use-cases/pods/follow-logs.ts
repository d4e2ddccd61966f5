import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../../cluster/client.ts';
import { reflect } from '../../../cluster/reflector.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { isOfAnchor } from '../../../contracts/objects.ts';
import { whenAborted } from '../../../language/when-aborted.ts';
import { readRun } from './follow-run.ts';
import type { JobLogLine, JobLogOptions, LoggedJob } from './log-options.ts';
import { hasRank, selectionOf, startedContainer } from './pod-selection.ts';
import { waitForAnchor } from './read-anchor.ts';

/** How long containers may continue to write after the end of the job. */
const LAST_LINES_MS = 5_000;

/**
 * Watches the job's pods, reads each container run from its start, and ends with the job. Readers write into one
 * bounded stream, so a slow consumer slows them down instead of filling the memory.
 */
export async function* followLogs(
  cluster: ClusterClient,
  job: LoggedJob,
  options: JobLogOptions,
): AsyncGenerator<JobLogLine> {
  const stopped = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal;
  const lines = new PassThrough({ objectMode: true, highWaterMark: 1_000 });
  const following = follow(cluster, job, { ...options, signal }, lines, () => stopped.abort());
  following.then(
    () => lines.end(),
    (error) => lines.destroy(error),
  );
  try {
    yield* lines as AsyncIterable<JobLogLine>;
  } finally {
    stopped.abort();
    await following.catch(() => undefined);
  }
}

async function follow(
  cluster: ClusterClient,
  job: LoggedJob,
  options: JobLogOptions & { readonly signal: AbortSignal },
  lines: PassThrough,
  stop: () => void,
): Promise<void> {
  const end = job.end();
  end.catch(() => undefined); // Awaited below.
  const anchor = await Promise.race([waitForAnchor(cluster, job, options.signal), end.then(() => undefined)]);
  if (anchor === undefined) return stop();
  const readers = new Map<string, Promise<void>>();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const seen = (pod: Pod) => {
    const status = startedContainer(pod, options.container, anchor);
    const key = `${pod.metadata.uid}/${status?.restartCount ?? 0}`;
    if (!status || readers.has(key) || !isOfAnchor(pod, anchor.uid) || !hasRank(pod, options.rank)) return;
    const run = { namespace: job.namespace, pod: pod.metadata.name, container: status.name };
    const reader = copy(readRun(cluster, run, options), lines, options.signal);
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
  // A reader that stops waits for this function to end, so the wait for the job must end on its signal too.
  await Promise.race([end, broken, whenAborted(options.signal)]);
  await Promise.race([Promise.allSettled(readers.values()), delay(LAST_LINES_MS, undefined, { ref: false })]);
  stop();
  await watching;
}

async function copy(from: AsyncIterable<JobLogLine>, to: PassThrough, signal: AbortSignal): Promise<void> {
  for await (const line of from) if (!to.write(line)) await once(to, 'drain', { signal });
}
