import { matchesFilter } from '../../../contracts/filters.ts';
import type { Archive, ArchiveFilter } from '../../../record/archive/archive-reader.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { exactFilter } from '../find/exact-filter.ts';
import type { ArchivedJobFilter } from '../find/job-filter.ts';
import { archivedSummary } from './archived-summary.ts';

/** Yields the archives of the jobs that match; those that ended last first. */
export async function* listArchived(
  archive: Archive,
  filter: ArchivedJobFilter,
  unreadable?: ArchiveFilter['unreadable'],
): AsyncGenerator<JobArchive> {
  const exact = await exactFilter(filter);
  const { namespace, name, since, endedSince, endedBefore } = exact;
  yield* archive.list({
    ...{ namespace, name, limit: filter.limit, unreadable },
    // No job closes before it was submitted.
    ...{ closedSince: latest(since, endedSince), closedBefore: endedBefore },
    matches: (job) => matchesFilter(archivedSummary(job), exact),
  });
}

const latest = (one?: Date, other?: Date): Date | undefined =>
  one && other ? (one > other ? one : other) : (one ?? other);
