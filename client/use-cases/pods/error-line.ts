import type { JobStatus } from '../../../contracts/types.ts';
import { errorLineOf } from '../../../evidence/error-line.ts';
import type { EvidenceStore } from '../../../evidence/store.ts';
import { unlessLate } from '../../../language/timers.ts';

/** People wait no longer for a store that does not answer. */
const READ_MS = 2_000;

/**
 * Returns what the log of the pod says by which a job has failed, from its evidence; undefined if that has no such line, if the
 * cause has it already, and if the store may not be read or does not answer in time: this answers people.
 */
export async function readErrorLine(
  open: () => Promise<EvidenceStore>,
  status: JobStatus,
): Promise<string | undefined> {
  const { phase, cause, attempt, evidence = [] } = status;
  const failed = evidence.find((one) => one.pod === cause?.pod && one.attempt === attempt);
  if (phase !== 'Failed' || !failed?.ref) return undefined;
  const read = async () => {
    // Loads what checks records, which most answers do without.
    const { readEvidence } = await import('./evidence.ts');
    const records = readEvidence(await open(), { ...status, evidence: [failed] }, {});
    for await (const record of records) return errorLineOf(record);
    return undefined;
  };
  const line = await unlessLate(
    read().catch(() => undefined),
    READ_MS,
  );
  return line === undefined || cause?.message.includes(line) ? undefined : line;
}
