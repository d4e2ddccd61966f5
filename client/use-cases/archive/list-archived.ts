import type { Archive, ArchiveFilter } from '../../../record/archive/archive-reader.ts';
import type { ArchivedJob } from '../../../record/archive/archived-job.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { type ExactFilter, exactFilter, filterTime, type JobFilter } from '../find/job-filter.ts';
import { archivedSummary } from './archived-summary.ts';

/**
 * Which archived jobs to list.
 *
 * @public
 */
export interface ArchivedJobFilter extends Omit<JobFilter, 'pageSize'> {
  /** Ended at this time or later; text is RFC 3339. */
  readonly endedSince?: Date | string;
  /** Ended before this time; text is RFC 3339. */
  readonly endedBefore?: Date | string;
}

/** Yields the archives of the jobs that match; those that ended last first. */
export async function* listArchived(
  archive: Archive,
  filter: ArchivedJobFilter,
  unreadable?: ArchiveFilter['unreadable'],
): AsyncGenerator<JobArchive> {
  const exact = await exactFilter(filter);
  const { namespace, name, since } = exact;
  yield* archive.list({
    ...{ namespace, name, limit: filter.limit, unreadable },
    // No job closes before it was submitted.
    closedSince: latest(since, filterTime('endedSince', filter.endedSince)),
    closedBefore: filterTime('endedBefore', filter.endedBefore),
    matches: (job) => matches(job, exact),
  });
}

const latest = (one?: Date, other?: Date): Date | undefined =>
  one && other ? (one > other ? one : other) : (one ?? other);

function matches(job: ArchivedJob, filter: ExactFilter): boolean {
  const { phases, kind, reason, submittedBy, labels, since, until } = filter;
  const summary = archivedSummary(job);
  const submitted = Date.parse(summary.startTime);
  return (
    (phases.length === 0 || phases.includes(summary.phase)) &&
    (kind === undefined || summary.kind === kind) &&
    (reason === undefined || summary.reason === reason) &&
    (submittedBy === undefined || summary.submittedBy === submittedBy) &&
    Object.entries(labels).every(([key, value]) => summary.labels?.[key] === value) &&
    (since === undefined || submitted >= since.getTime()) &&
    (until === undefined || submitted < until.getTime())
  );
}
