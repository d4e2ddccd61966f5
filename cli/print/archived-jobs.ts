import type { JobSummary } from '../../client/servers/summary.ts';
import { archivedSummary } from '../../client/use-cases/archive/archived-summary.ts';
import { listArchived } from '../../client/use-cases/archive/list-archived.ts';
import type { JobFilter } from '../../client/use-cases/find/job-filter.ts';
import type { Archive } from '../../record/archive/archive-reader.ts';
import { note } from './output.ts';

/** Returns the jobs of an archive that match what a list asks for; those that ended last first. */
export async function archivedJobs(archive: Archive, filter: JobFilter): Promise<JobSummary[]> {
  const found: JobSummary[] = [];
  for await (const { job } of listArchived(archive, filter, ({ message }) => note(`left out: ${message}`))) {
    found.push(archivedSummary(job));
  }
  return found;
}
