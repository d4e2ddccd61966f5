import { archivedSubmission, archivedSummary } from '../../client/use-cases/archive/archived-summary.ts';
import type { ArchivedJob } from '../../record/archive/archived-job.ts';
import type { SubmittedStatus } from './job-text.ts';
import { lifetimeOf } from './lifetime.ts';

/** Returns what `get` shows of an archived job. */
export const archivedStatus = (job: ArchivedJob): SubmittedStatus => ({
  ...job.status,
  ...lifetimeOf(archivedSummary(job)),
  ...archivedSubmission(job),
  archivedAt: job.archivedAt,
});
