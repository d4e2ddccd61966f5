import pMap from 'p-map';
import type { ClusterClient } from '../../../cluster/client.ts';
import type { LogLine } from '../../../cluster/log-lines.ts';
import { readTail } from '../../../cluster/read-tail.ts';
import { jobArguments } from '../../../contracts/job-arguments.ts';
import { PODS } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { roleOf } from '../../../contracts/pod.ts';
import { shownLine, textOfLine } from '../../../contracts/secrets/shown-line.ts';
import type { JobSilence, JobSteps, ProgressRules } from '../../../contracts/types.ts';
import { formatDuration } from '../../../language/duration.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';
import { startedContainer } from './pod-selection.ts';
import { type LogAnchor, readAnchor } from './read-anchor.ts';

/** Which job is asked about. */
type AskedJob = Pick<JobSummary, 'namespace' | 'name' | 'workflowId' | 'phase'>;

/** What the end of a running job's log tells. */
export interface LogSigns {
  readonly steps?: JobSteps;
  /** Its main pod has written no line for longer than usual, and no other shows steps. */
  readonly silence?: JobSilence;
}

/**
 * Returns what the logs of running jobs tell, by workflow id. What the cluster does not tell in time, or may not be read,
 * is left out: this answers people, and decides nothing.
 */
export async function findLogSigns(
  { cluster }: Pick<ClientPorts, 'cluster'>,
  jobs: readonly AskedJob[],
): Promise<ReadonlyMap<string, LogSigns>> {
  const running = jobs.filter(({ phase }) => phase === 'Running');
  if (running.length === 0) return new Map();
  const client = await cluster().catch(() => undefined);
  return client ? readSigns(client, running) : new Map();
}

async function readSigns(
  cluster: ClusterClient,
  jobs: readonly AskedJob[],
): Promise<ReadonlyMap<string, LogSigns>> {
  // What it takes to load a kubeconfig does not count.
  const signal = AbortSignal.timeout(READ_MS);
  const found = new Map<string, LogSigns>();
  const read = async (job: AskedJob) => {
    if (signal.aborted) return;
    // Further pods are only read for a job that is asked about alone.
    const signs = await signsOf(cluster, job, { signal, isAlone: jobs.length === 1 }).catch(() => undefined);
    if (signs) found.set(job.workflowId, signs);
  };
  const late = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => late.resolve(), { once: true });
  await Promise.race([pMap(jobs, read, { concurrency: AT_ONCE }), late.promise]);
  return new Map(found);
}

/** For all jobs together: who lists jobs waits no longer for those of a cluster that does not answer. */
const READ_MS = 5_000;
const AT_ONCE = 8;

interface Asking {
  readonly signal: AbortSignal;
  readonly isAlone: boolean;
}

async function signsOf(
  cluster: ClusterClient,
  job: AskedJob,
  { signal, isAlone }: Asking,
): Promise<LogSigns | undefined> {
  const { namespace, name } = job;
  const anchor = await readAnchor(cluster, job);
  if (!anchor?.mainPod || anchor.workflowId !== job.workflowId) return undefined;
  const { mainPod: pod } = anchor;
  const container = anchor.containers.get(
    roleOf({ metadata: { name: pod, labels: { [LABELS.job]: name } } }),
  );
  const lines = await readTail(cluster, { namespace, pod, container, signal }, TAIL);
  const { findSteps } = await import('./steps.ts');
  const steps = await findSteps(cluster, { job, anchor, signal, isAlone, tailLines: TAIL }, { pod, lines });
  const isOnTheMove = steps?.at !== undefined && !steps.isLate;
  const silence = isOnTheMove
    ? undefined
    : await silenceIn(lines.slice(-TAIL), { cluster, job, anchor, steps });
  return { ...(steps ? { steps } : {}), ...(silence ? { silence } : {}) };
}

interface SilentJob {
  readonly cluster: ClusterClient;
  readonly job: AskedJob;
  readonly anchor: LogAnchor;
  readonly steps: JobSteps | undefined;
}

async function silenceIn(
  lines: readonly LogLine[],
  { cluster, job, anchor, steps }: SilentJob,
): Promise<JobSilence | undefined> {
  const pod = anchor.mainPod!;
  const { namespace } = job;
  const last = lines.findLast(({ text }) => textOfLine(text) !== '');
  const at = Date.parse(lines.at(-1)?.time ?? (await startOf(cluster, { namespace, pod, anchor })) ?? '');
  const silentMs = cluster.now() - at;
  if (!(silentMs > silentAfter(lines))) return undefined;
  return {
    pod,
    since: new Date(at).toISOString(),
    seconds: Math.round(silentMs / 1000),
    ...(last ? { line: shownLine(last.text) } : {}),
    remedy: remedyFor(anchor.progress, jobArguments(job, job.workflowId), {
      limit: limitFor(lines),
      areStepsRead: steps?.isLate === true,
    }),
  };
}

/** So many lines show how often a program writes. */
const TAIL = 20;

interface MainPod {
  readonly namespace: string;
  readonly pod: string;
  readonly anchor: LogAnchor;
}

/** Returns since when the program of the pod runs, RFC 3339. */
async function startOf(
  cluster: ClusterClient,
  { namespace, pod, anchor }: MainPod,
): Promise<string | undefined> {
  const found = await cluster.find(PODS, namespace, pod);
  return found && startedContainer(found, undefined, anchor)?.state?.running?.startedAt;
}

const SILENT_MS = { least: 30_000, most: 600_000 };
const PAUSES = 5;

/** Returns how long a program may write nothing before that is worth a word; its longest pause counts. */
export function silentAfter(lines: readonly Pick<LogLine, 'time'>[]): number {
  // One line, or none, tells no cadence.
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
function remedyFor(
  progress: ProgressRules | undefined,
  job: string,
  { limit, areStepsRead }: { readonly limit: string; readonly areStepsRead: boolean },
): string {
  const { log, annotation, stalledAfterMs, onHang } = progress ?? {};
  const isNamed = (log ?? annotation) !== undefined;
  if (!isNamed && areStepsRead)
    return onHang === 'restart'
      ? 'It restarts once the watcher has confirmed that it makes no steps (progress.onHang).'
      : `\`signalbox amend ${job} --set progress.onHang=restart\` restarts its pods when it makes no steps.`;
  if (stalledAfterMs !== undefined)
    return `It counts as stalled without progress for ${formatDuration(stalledAfterMs, { isExact: true })} (progress.stalledAfter).`;
  // Any line is progress where nothing else is.
  const source = isNamed ? '' : ' --set progress.log=.+';
  return `\`signalbox amend ${job}${source} --set progress.stalledAfter=${limit}\` restarts its pods when it is silent for so long.`;
}
