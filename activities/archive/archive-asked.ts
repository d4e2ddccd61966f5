import { Context } from '@temporalio/activity';
import type { ArchiveProgress, TimedRequest } from '../../contracts/archiver.ts';
import { ARCHIVER_HEARTBEAT } from '../../contracts/timing.ts';
import type { JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { archiveRound, failureOf, failuresOf } from './archiver-round.ts';
import { type ClosedJob, closedJobs, closedJobsOf } from './closed-jobs.ts';

type AskedResult = Omit<ArchiveProgress, 'number' | 'state'>;

/**
 * Archives the jobs of a request. Says with each heartbeat how far it is. Idempotent by the archives' keys. `signed`: the
 * checkpoint of the log that the archiver is known to have signed.
 */
export async function archiveAsked(
  dependencies: ArchiverDependencies,
  request: TimedRequest,
  signed?: string,
): Promise<AskedResult> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, dependencies.stopping]);
  const results: JobResult[] = [];
  let of: number | undefined;
  const beat = () => context.heartbeat(resultOf(results, of));
  const timer = setInterval(beat, ARCHIVER_HEARTBEAT.everyMs);
  try {
    const jobs = await jobsOf(dependencies, request);
    of = jobs.length;
    beat();
    await archiveRound(dependencies, jobs, {
      isUrgent: () => false,
      signal,
      signed,
      done: (result) => results.push(result),
    });
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return resultOf(results, of);
}

function jobsOf({ temporal }: ArchiverDependencies, request: TimedRequest): Promise<ClosedJob[]> {
  if ('workflowIds' in request) return closedJobsOf(temporal, request.workflowIds);
  return closedJobs(temporal, 'since' in request ? request.since : undefined);
}

const resultOf = (results: readonly JobResult[], of: number | undefined): AskedResult => ({
  ...(of === undefined ? {} : { of }),
  archived: results.filter(({ is }) => is === 'written').length,
  known: results.filter(({ is }) => is === 'known').length,
  failed: [...failuresOf(results), ...waitingIn(results)],
});

const waitingIn = (results: readonly JobResult[]) =>
  results.flatMap(({ is, job }) => {
    const why = WHY_NOT[is];
    return why === undefined ? [] : [failureOf(job, why)];
  });

const WHY_NOT: Readonly<Partial<Record<JobResult['is'], string>>> = {
  waiting: 'the watcher is still removing what it left; it is archived then',
  deleted: 'its archive was deleted on purpose; `signalbox audit verify` shows by whom',
};
