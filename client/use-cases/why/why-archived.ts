import type { WhyAnswer } from '../../../contracts/types.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { explanationOf, toldByLogs } from '../observe/explanation.ts';
import { waitedFor } from './waited.ts';

/** Says why an archived job ended, and what it had waited for, from its ledger. It waits for nothing any more. */
export async function whyArchived(archive: JobArchive): Promise<WhyAnswer> {
  const { kind, namespace, name, workflowId, status, closed, missing = [] } = archive.job;
  const entries = await archive.entries();
  return {
    ...{ kind, namespace, name, workflowId, phase: status.phase, asOf: new Date().toISOString() },
    explanation: explanationOf(status),
    ...{ reasons: [], placements: [], unknown: missing },
    ...toldByLogs(status),
    waited: waitedFor(entries, Date.parse(closed)),
  };
}
