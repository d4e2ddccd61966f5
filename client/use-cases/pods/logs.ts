import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError, ClusterConfigError, ConnectionError, isNotFound } from '../../../cluster/errors.ts';
import { splitLines } from '../../../cluster/log-lines.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { byName } from '../../../contracts/objects.ts';
import { isFinal } from '../../../contracts/status.ts';
import {
  EvidenceAwayError,
  NoEvidenceError,
  NoLogError,
  RefusedError,
  ServerAwayError,
} from '../../errors/errors.ts';
import { noPods, notStarted } from './explain-no-pods.ts';
import { followLogs } from './follow-logs.ts';
import type { JobLogLine, JobLogOptions, LoggedJob } from './log-options.ts';
import { containerOf, hasLog, hasRank, selectionOf } from './pod-selection.ts';
import { readAnchor } from './read-anchor.ts';

/** Yields log lines of the chosen pods: pod by pod, or as they arrive when following. */
export async function* readLogs(
  cluster: ClusterClient,
  job: LoggedJob,
  options: JobLogOptions,
): AsyncGenerator<JobLogLine> {
  try {
    if (options.follow && !isFinal(job.phase)) yield* followedLogs(cluster, job, options);
    else yield* presentLogs(cluster, job, options);
  } catch (error) {
    throw toLogError(error, cluster.server);
  }
}

/** A job may end before any of its pods was seen to run. What it left is read then. */
async function* followedLogs(cluster: ClusterClient, job: LoggedJob, options: JobLogOptions) {
  let count = 0;
  for await (const line of followLogs(cluster, job, options)) {
    count++;
    yield line;
  }
  if (count > 0 || options.signal?.aborted) return;
  const { phase } = await job.end();
  try {
    yield* presentLogs(cluster, { ...job, phase }, options);
  } catch (error) {
    if (!(error instanceof NoLogError)) throw error;
  }
}

async function* presentLogs(cluster: ClusterClient, job: LoggedJob, options: JobLogOptions) {
  const anchor = await readAnchor(cluster, job);
  const selected = await cluster.list(PODS, selectionOf(job, options, anchor));
  const items = selected.items.filter((pod) => hasRank(pod, options.rank));
  const started = items.filter((pod) => hasLog(pod, options.container, anchor)).sort(byName);
  if (items.length > 0 && started.length === 0) throw notStarted(job, [...items].sort(byName));
  let found = 0;
  let refusal: NoLogError | undefined;
  for (const pod of started) {
    const chunks = await logOf(cluster, pod, {
      ...options,
      container: containerOf(pod, options.container, anchor),
    });
    if (chunks instanceof NoLogError) refusal ??= chunks;
    if (chunks === undefined || chunks instanceof NoLogError) continue;
    found++;
    for await (const text of splitLines(chunks)) yield { pod: pod.metadata.name, text };
  }
  if (found > 0) return;
  if (refusal) throw refusal;
  const why = await noPods(cluster, job, anchor);
  if (!isFinal(job.phase) || items.length > 0) throw why;
  yield* fromEvidence(job, options, why);
}

/** Yields what evidence has of the logs of an ended job; throws `why` if it has nothing. */
async function* fromEvidence(job: LoggedJob, options: JobLogOptions, why: NoLogError) {
  const { evidenceLogs } = await import('./evidence-logs.ts');
  let count = 0;
  try {
    for await (const line of evidenceLogs(job.evidence(), options)) {
      count++;
      yield line;
    }
  } catch (error) {
    if (!(error instanceof NoEvidenceError) && !(error instanceof EvidenceAwayError)) throw error;
  }
  if (count === 0) throw why;
}

/** Returns undefined if the pod was deleted after it was listed, e.g. at the end of a job; why, if there is no such log. */
async function logOf(cluster: ClusterClient, { metadata }: Pod, options: JobLogOptions) {
  const { container, previous, tailLines, sinceSeconds, timestamps, signal } = options;
  const asked = { container, previous, tailLines, sinceSeconds, timestamps, signal };
  try {
    return await cluster.log(metadata.namespace!, metadata.name, asked);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof ApiError && error.status === 400)
      return new NoLogError(`${metadata.name}: ${error.detail}.`, { remedy: OTHER_RUNS });
    throw error;
  }
}

const OTHER_RUNS = '--previous reads the run before the last restart in place; without it, the present one.';

function toLogError(error: unknown, server: string): unknown {
  if (error instanceof ConnectionError) return new ServerAwayError('Kubernetes', server, error);
  if (error instanceof ClusterConfigError) return new RefusedError(error.message, { cause: error });
  return error;
}
