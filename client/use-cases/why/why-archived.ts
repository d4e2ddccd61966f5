import type { WhyAnswer } from '../../../contracts/types.ts';
import { archivedEvidence } from '../../../record/archive/archived-evidence.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { explanationOf } from '../observe/explanation.ts';
import { readErrorLine } from '../pods/error-line.ts';
import { waitedFor } from './waited.ts';

/** Says why an archived job ended, and what it had waited for, from its ledger. It waits for nothing any more. */
export async function whyArchived(archive: JobArchive): Promise<WhyAnswer> {
  const { kind, namespace, name, workflowId, status, closed, missing = [] } = archive.job;
  const entries = await archive.entries();
  const errorLine = await readErrorLine(() => archivedEvidence(archive), status);
  return {
    ...{ kind, namespace, name, workflowId, phase: status.phase, asOf: new Date().toISOString() },
    explanation: explanationOf(status),
    ...{ reasons: [], placements: [], unknown: missing },
    ...(errorLine === undefined ? {} : { errorLine }),
    waited: waitedFor(entries, Date.parse(closed)),
  };
}
