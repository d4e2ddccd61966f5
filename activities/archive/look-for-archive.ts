import { anchorNameOf } from '../../contracts/labels.ts';
import { archiveFolder } from '../../record/archive/archive-keys.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { isCleanedUpSince } from '../../temporal/cleaned-up-since.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import { originOf } from '../../temporal/run-origin.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';
import { anchorOf } from './last-status.ts';
import { ownRecordIn } from './own-record.ts';

/** The watcher removes what a terminated workflow has left, and collects its evidence: so long its job waits for that. */
const CLEAN_UP_MS = 10 * 60_000;

interface Looked {
  readonly firstRunId: string;
  readonly archive?: JobArchive;
  /** Its archive was deleted on purpose: it must not come back. */
  readonly isDeleted?: boolean;
  /** A reset ended the run: the job goes on in another one, which is archived. */
  readonly isReset?: boolean;
}

/** Most jobs have one run; only for others Temporal is asked for the first. */
export async function lookForArchive(
  dependencies: Pick<ArchiverDependencies, 'temporal' | 'store' | 'ready'>,
  job: ClosedJob,
): Promise<Looked> {
  const find = (firstRunId: string) => ownRecordIn(dependencies, archiveFolder({ ...job, firstRunId }));
  const only = await find(job.runId);
  if (only) return { firstRunId: job.runId, ...only };
  const { firstRunId, resetRunId } = await originOf(dependencies.temporal, job);
  if (resetRunId && job.close === 'Terminated') return { firstRunId, isReset: true };
  if (firstRunId === job.runId) return { firstRunId };
  const first = await find(firstRunId);
  // The end of a job that had ended, and was reset: an archive never changes, so it gets its own.
  if (first && 'archive' in first && (await wasResetTo(dependencies, first.archive.job.runId, job)))
    return { firstRunId: job.runId };
  return { firstRunId, ...first };
}

async function wasResetTo(
  { temporal }: Pick<ArchiverDependencies, 'temporal'>,
  endedRunId: string,
  { workflowId, runId }: ClosedJob,
): Promise<boolean> {
  try {
    const { resetRunId } = await originOf(temporal, { workflowId, runId: endedRunId });
    return resetRunId === runId;
  } catch (error) {
    if (!isAboutMissingRun(error)) throw error;
    return false;
  }
}

/**
 * Whether the watcher still has to clean up after a job whose workflow was terminated or timed out. Temporal knows when it has: the
 * anchor's phase is what any user of the namespace wrote.
 */
export async function isAwaitingCleanUp(
  dependencies: Pick<ArchiverDependencies, 'temporal' | 'cluster' | 'clusterId' | 'now'>,
  job: ClosedJob,
  firstRunId: string,
): Promise<boolean> {
  const isCut = job.close === 'Terminated' || job.close === 'TimedOut';
  if (!isCut || job.anchorUid === undefined) return false;
  if (dependencies.now() - Date.parse(job.closed) > CLEAN_UP_MS) return false;
  if (!(await anchorOf(dependencies, job, firstRunId))) return false;
  const { namespace, anchorUid } = job;
  const anchor = { namespace, anchorName: anchorNameOf(job.name), anchorUid };
  return !(await isCleanedUpSince(dependencies.temporal, anchor, new Date(job.closed)));
}
