import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { consoleAddress } from '../../contracts/console-address.ts';
import { isFinal } from '../../contracts/status.ts';
import { unlessLate } from '../../language/timers.ts';
import { otherJobs, otherJobsText } from '../jobs/other-jobs.ts';
import type { SubmittedStatus } from '../print/job-text.ts';
import { lifetimeOf } from '../print/lifetime.ts';
import type { Session } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { withArchive } from './archived-job.ts';

/** What `get` shows of a job. */
export interface JobToShow {
  readonly workflowId: string;
  readonly status: SubmittedStatus;
  /** Sentences about other jobs of the name. */
  readonly others?: readonly string[];
}

export async function readShownJob(job: JobHandle, session: Session): Promise<JobToShow> {
  const summary = job.summary();
  const [status, known, others, signs] = await Promise.all([
    job.status(),
    summary,
    otherJobs(session.client, summary, session.settings),
    // The cluster loads while Temporal answers.
    signsOf(summary, session),
  ]);
  const [archive, left] = isFinal(status.phase)
    ? await Promise.all([archiveStateOf(job, summary, session), leftOf(job)])
    : [];
  const { submittedBy, why, rerunOf } = known;
  const told = status.phase === 'Running' ? signs : {};
  const address = consoleAddress(session.settings.console.url, status);
  const inConsole = address === undefined ? {} : { console: address };
  const submitted = { ...lifetimeOf(known), submittedBy, why, rerunOf };
  const all = { ...status, ...inConsole, ...submitted, ...archive, ...left, ...told };
  return { workflowId: job.workflowId, status: all, others: otherJobsText(others) };
}

/** Users without access to the cluster get no answer about it, and need not wait for one. */
async function leftOf(job: JobHandle): Promise<Pick<SubmittedStatus, 'remainingPods'>> {
  const remainingPods = await unlessLate(
    job.remainingPods().catch(() => undefined),
    CLUSTER_MS,
  );
  return remainingPods ? { remainingPods } : {};
}

async function signsOf(
  summary: Promise<JobSummary>,
  { client }: Session,
): Promise<Pick<SubmittedStatus, 'silence' | 'steps'>> {
  const job = await summary;
  return (await client.logSigns([job])).get(job.workflowId) ?? {};
}

const CLUSTER_MS = 3_000;

async function archiveStateOf(
  job: JobHandle,
  summary: Promise<JobSummary>,
  { client, settings }: Session,
): Promise<Pick<SubmittedStatus, 'archivedAt' | 'notArchived'>> {
  const archivedAt = await archivedAtOf(job, settings);
  if (archivedAt) return { archivedAt };
  const notArchived = await client.archiver.whyNotArchived(await summary).catch(() => undefined);
  return notArchived ? { notArchived } : {};
}

/** Users without access to the archive get no answer about it. */
async function archivedAtOf(job: JobHandle, settings: Settings): Promise<string | undefined> {
  if (!settings.archive.store) return undefined;
  try {
    const wanted = { workflowId: job.workflowId, runId: await job.firstRunId() };
    return await withArchive(settings, async (archive) => (await archive.find(wanted))?.job.archivedAt);
  } catch {
    return undefined;
  }
}

export async function shownJobText(
  { workflowId, status, others = [] }: JobToShow,
  { isWide }: { readonly isWide: boolean },
): Promise<string> {
  const { conditionsText, jobText } = await import('../print/job-text.ts');
  const text = await jobText(status, workflowId);
  const parts = [text, isWide && (await conditionsText(status)), others.join('\n')];
  return parts.filter(Boolean).join('\n\n');
}
