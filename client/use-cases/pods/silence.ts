import { stripVTControlCharacters } from 'node:util';
import pMap from 'p-map';
import type { ClusterClient } from '../../../cluster/client.ts';
import { type LogLine, logLines } from '../../../cluster/log-lines.ts';
import { jobArguments } from '../../../contracts/job-arguments.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { roleOf } from '../../../contracts/pod.ts';
import type { ProgressRules } from '../../../contracts/policy.ts';
import { hideInText } from '../../../contracts/secrets/hide-in-text.ts';
import type { JobSilence } from '../../../contracts/types.ts';
import { formatDuration } from '../../../language/duration.ts';
import { shorten } from '../../../language/shorten.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';
import { readAnchor } from './read-anchor.ts';

/** Which job is asked about. */
type SilentJob = Pick<JobSummary, 'namespace' | 'name' | 'workflowId' | 'phase'>;

/**
 * Returns how long each running job has been silent, by workflow id, without those that are not. What the cluster does not
 * tell in time, or may not be read, is left out: this answers people, and decides nothing.
 */
export async function findSilences(
  { cluster }: Pick<ClientPorts, 'cluster'>,
  jobs: readonly SilentJob[],
): Promise<ReadonlyMap<string, JobSilence>> {
  const running = jobs.filter(({ phase }) => phase === 'Running');
  if (running.length === 0) return new Map();
  const client = await cluster().catch(() => undefined);
  return client ? readSilences(client, running) : new Map();
}

async function readSilences(
  cluster: ClusterClient,
  jobs: readonly SilentJob[],
): Promise<ReadonlyMap<string, JobSilence>> {
  // What it takes to load a kubeconfig does not count.
  const signal = AbortSignal.timeout(READ_MS);
  const found = new Map<string, JobSilence>();
  const read = async (job: SilentJob) => {
    if (signal.aborted) return;
    const silence = await silenceOf(cluster, job, signal).catch(() => undefined);
    if (silence) found.set(job.workflowId, silence);
  };
  const late = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => late.resolve(), { once: true });
  await Promise.race([pMap(jobs, read, { concurrency: AT_ONCE }), late.promise]);
  return new Map(found);
}

/** For all jobs together: who lists jobs waits no longer for those of a cluster that does not answer. */
const READ_MS = 5_000;
const AT_ONCE = 8;

async function silenceOf(
  cluster: ClusterClient,
  job: SilentJob,
  signal: AbortSignal,
): Promise<JobSilence | undefined> {
  const { namespace, name } = job;
  const anchor = await readAnchor(cluster, job);
  if (!anchor?.mainPod || anchor.workflowId !== job.workflowId) return undefined;
  const { mainPod: pod, progress } = anchor;
  const container = anchor.containers.get(
    roleOf({ metadata: { name: pod, labels: { [LABELS.job]: name } } }),
  );
  const chunks = await cluster.log(namespace, pod, {
    ...{ container, tailLines: TAIL, timestamps: true, signal },
  });
  const lines = await lastLines(logLines(chunks));
  const last = lines.findLast(({ text }) => textOf(text) !== '');
  const at = Date.parse(lines.at(-1)?.time ?? '');
  const silentMs = cluster.now() - at;
  if (!last || !(silentMs > silentAfter(lines))) return undefined;
  return {
    pod,
    since: new Date(at).toISOString(),
    seconds: Math.round(silentMs / 1000),
    line: shorten(hideInText(textOf(last.text)), LINE_LENGTH),
    remedy: remedyFor(progress, limitFor(lines), jobArguments(job, job.workflowId)),
  };
}

/** So many lines show how often a program writes. */
const TAIL = 20;
const LINE_LENGTH = 160;

/** A progress bar is many lines to us, and one to the kubelet. */
async function lastLines(lines: AsyncIterable<LogLine>): Promise<readonly LogLine[]> {
  let last: LogLine[] = [];
  for await (const line of lines) last = [...last.slice(1 - TAIL), line];
  return last;
}

const textOf = (line: string): string => stripVTControlCharacters(line).replaceAll(/\s+/g, ' ').trim();

const SILENT_MS = { least: 30_000, most: 600_000 };
const PAUSES = 5;

/** Returns how long a program may write nothing before that is worth a word; its longest pause counts. */
export function silentAfter(lines: readonly Pick<LogLine, 'time'>[]): number {
  // One line tells no cadence.
  if (lines.length < 2) return SILENT_MS.most;
  return Math.min(Math.max(PAUSES * longestPause(lines), SILENT_MS.least), SILENT_MS.most);
}

function longestPause(lines: readonly Pick<LogLine, 'time'>[]): number {
  const times = lines.map(({ time }) => Date.parse(time));
  return Math.max(0, ...times.slice(1).map((time, index) => time - times[index]!));
}

/** Returns a limit that the job would not have reached so far, in whole minutes. */
const limitFor = (lines: readonly LogLine[]): string =>
  `${Math.ceil(Math.max(PAUSES * longestPause(lines), SILENT_MS.most) / 60_000)}m`;

/** A limit that the policy has needs no command. */
function remedyFor(progress: ProgressRules | undefined, limit: string, job: string): string {
  const { log, annotation, stalledAfterMs } = progress ?? {};
  if (stalledAfterMs !== undefined)
    return `It counts as stalled without progress for ${formatDuration(stalledAfterMs, { isExact: true })} (progress.stalledAfter).`;
  // Any line is progress where nothing else is.
  const source = log === undefined && annotation === undefined ? ' --set progress.log=.+' : '';
  return `\`signalbox amend ${job}${source} --set progress.stalledAfter=${limit}\` restarts its pods when it is silent for so long.`;
}
