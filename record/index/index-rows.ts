import type { LedgerEntry } from '../../contracts/types.ts';
import { waitsOf } from '../facts/waits.ts';
import type { IndexRows } from './columns.ts';
import { entryRowsOf } from './entry-rows.ts';
import type { IndexedJob, IndexPlace } from './indexed-job.ts';
import { jobRowOf } from './job-row.ts';

/** Returns the rows of a job. `now` is RFC 3339, for a job that has not closed. */
export function indexRowsOf(
  job: IndexedJob,
  ledger: readonly LedgerEntry[],
  at: { readonly place?: IndexPlace; readonly now?: string },
): IndexRows {
  const until = Date.parse(job.closed ?? at.now ?? job.submitted.at);
  const waits = waitsOf(ledger, until);
  return {
    jobs: [jobRowOf(job, { ledger, waits, until, place: at.place })],
    entries: entryRowsOf(job, { ledger, waits, until, leaf: at.place?.leaf }),
  };
}
