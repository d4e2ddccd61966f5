import type { LedgerEntry } from '../../../contracts/types.ts';
import type { ArchivedJob } from '../../../record/archive/archived-job.ts';
import type { JobSummary } from '../../servers/summary.ts';

/** Returns who submitted a live job, when and why: its ledger knows best, if it has its first entry. */
export function submissionIn(
  { startTime, submittedBy, why, rerunOf }: JobSummary,
  [first]: readonly LedgerEntry[],
): Omit<ArchivedJob['submitted'], 'key'> {
  const entry = first?.cause.type === 'submitted' ? first : undefined;
  const cause = first?.cause.type === 'submitted' ? first.cause : undefined;
  const who = cause?.who ?? (submittedBy === undefined ? {} : { given: submittedBy });
  return { at: entry?.at ?? startTime, who, why: cause?.why ?? why, rerunOf };
}
