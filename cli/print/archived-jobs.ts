import type { JobFilter } from '../../client/job-filter.ts';
import type { JobSummary } from '../../client/summary.ts';
import type { Archive } from '../../record/archive/archive-reader.ts';
import type { ArchivedJob } from '../../record/archive/archived-job.ts';
import { archivedSummary } from './archived-summary.ts';
import { note } from './output.ts';

/** Returns the jobs of an archive that match what a list asks for; those that ended last first. */
export async function archivedJobs(archive: Archive, filter: JobFilter): Promise<JobSummary[]> {
  const { namespace, name, limit, since } = filter;
  const found: JobSummary[] = [];
  const list = archive.list({
    ...{ namespace, name, limit },
    // No job closes before it was submitted.
    closedSince: since === undefined ? undefined : new Date(since),
    matches: (job) => matches(job, filter),
    unreadable: ({ message }) => note(`left out: ${message}`),
  });
  for await (const { job } of list) found.push(archivedSummary(job));
  return found;
}

function matches(
  job: ArchivedJob,
  { phase, kind, reason, submittedBy, labels = {}, ...times }: JobFilter,
): boolean {
  const summary = archivedSummary(job);
  const submitted = Date.parse(summary.startTime);
  return (
    (phase === undefined || summary.phase === phase) &&
    (kind === undefined || summary.kind === kind) &&
    (reason === undefined || summary.reason === reason) &&
    (submittedBy === undefined || summary.submittedBy === submittedBy) &&
    Object.entries(labels).every(([key, value]) => summary.labels?.[key] === value) &&
    (times.since === undefined || submitted >= new Date(times.since).getTime()) &&
    (times.until === undefined || submitted < new Date(times.until).getTime())
  );
}
