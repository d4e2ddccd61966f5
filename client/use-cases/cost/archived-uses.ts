import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { type JobUses, jobUsesOf } from '../../../record/uses/job-uses.ts';

/** Returns what the devices of an archived job were used for. */
export async function archivedUses(archive: JobArchive): Promise<JobUses> {
  const { closed, manifest } = archive.job;
  return jobUsesOf(await archive.entries(), { until: Date.parse(closed), manifest });
}
