import { Context } from '@temporalio/activity';
import type { ArchiveProgress, ArchiveRequest } from '../../contracts/archiver.ts';
import type { JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { archiveRound, failuresOf } from './archiver-round.ts';
import { closedJobs, closedJobsOf } from './closed-jobs.ts';

const HEARTBEAT_MS = 5_000;

export type AskedResult = Omit<ArchiveProgress, 'number' | 'state'>;

/**
 * Archives the jobs of a request. Says with each heartbeat how far it is. Idempotent by the archives' keys. `signed`: the
 * checkpoint of the log that the archiver is known to have signed.
 */
export async function archiveAsked(
  dependencies: ArchiverDependencies,
  request: ArchiveRequest,
  signed?: string,
): Promise<AskedResult> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, dependencies.stopping]);
  const results: JobResult[] = [];
  const timer = setInterval(() => context.heartbeat(resultOf(results)), HEARTBEAT_MS);
  try {
    await archiveRound(dependencies, await jobsOf(dependencies, request), {
      isUrgent: () => false,
      signal,
      signed,
      done: (result) => results.push(result),
    });
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return resultOf(results);
}

const jobsOf = ({ temporal }: ArchiverDependencies, request: ArchiveRequest) =>
  'workflowIds' in request
    ? closedJobsOf(temporal, request.workflowIds)
    : closedJobs(temporal, 'since' in request ? request.since : undefined);

const resultOf = (results: readonly JobResult[]): AskedResult => ({
  archived: results.filter(({ is }) => is === 'written').length,
  known: results.filter(({ is }) => is === 'known').length,
  failed: [...failuresOf(results), ...waitingIn(results)],
});

const waitingIn = (results: readonly JobResult[]) =>
  results.flatMap(({ is, job: { workflowId } }) =>
    is === 'waiting'
      ? [{ workflowId, why: 'the watcher is still removing what it left; it is archived then' }]
      : [],
  );
