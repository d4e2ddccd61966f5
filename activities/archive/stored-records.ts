import pMap from 'p-map';
import { evidenceRecord } from '../../contracts/schemas/evidence-record.ts';
import type { EvidenceRecord, JobStatus, PodsRecord } from '../../contracts/types.ts';
import { podsRecordsOf } from '../../evidence/pods-records.ts';
import { folderOf, isPodsRecordKey } from '../../evidence/record-key.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import { errorMessage } from '../../language/error-message.ts';
import { MOST_REPORTED } from '../deletion/delete-pods.ts';
import type { ClosedJob } from './closed-jobs.ts';

/** What the store of evidence has of a job. */
interface StoredRecords {
  readonly evidence: readonly EvidenceRecord[];
  readonly pods: readonly PodsRecord[];
  /** What is not in it, and why. */
  readonly missing: readonly string[];
}

/**
 * Reads the records of a job. One that was damaged is left out: it does not get better. As long as there is time, a job
 * waits for a store that does not work.
 */
export async function storedRecords(
  store: EvidenceStore,
  { namespace, name, anchorUid }: ClosedJob,
  isUrgent: boolean,
): Promise<StoredRecords> {
  if (anchorUid === undefined) return { evidence: [], pods: [], missing: [] };
  const recorded = { namespace, name, anchorUid };
  const missing: string[] = [];
  const unreadable = (error: Error) => void missing.push(`a record of evidence: ${error.message}`);
  try {
    const keys = (await store.list(folderOf(recorded))).filter((key) => !isPodsRecordKey(key)).sort();
    const texts = await pMap(keys, async (key) => ({ key, text: await store.find(key) }), { concurrency: 8 });
    const evidence = texts.flatMap(({ key, text }) => {
      if (text === undefined) return [];
      const record = parsedRecord(text);
      if (!record)
        unreadable(new Error(`${store.refOf(key)}: expected a record by schemas/evidence-record.json`));
      return record ?? [];
    });
    const pods = await podsRecordsOf(store, recorded, { unreadable });
    return { evidence, pods, missing };
  } catch (error) {
    const why = `${store.location} did not give its evidence: ${errorMessage(error)}`;
    if (!isUrgent) throw new Error(why, { cause: error });
    return { evidence: [], pods: [], missing: [why] };
  }
}

/** As it was written: a later version may have added fields. */
function parsedRecord(text: string): EvidenceRecord | undefined {
  try {
    const record = JSON.parse(text) as EvidenceRecord;
    return evidenceRecord.safeParse(record).success ? record : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds the evidence that only the store has: of a workflow that was terminated, the orphan clean-up took it. Only workers can write to
 * the store; the list on the anchor is what any user of the namespace wrote.
 */
export function withStored(status: JobStatus, { evidence }: StoredRecords): JobStatus {
  if (status.cause?.reason !== 'WorkflowTerminated') return status;
  const known = new Set(status.evidence?.map(({ uid }) => uid));
  const others = evidence.filter(({ summary }) => !known.has(summary.uid)).toSorted(latestFirst);
  if (others.length === 0) return status;
  const taken = others.slice(0, MOST_REPORTED).map(({ summary }) => summary);
  return { ...status, evidence: [...taken, ...(status.evidence ?? [])] };
}

const latestFirst = (one: EvidenceRecord, other: EvidenceRecord): number =>
  Date.parse(other.failedAt) - Date.parse(one.failedAt);

/** Another worker may use another directory. */
export function recordsElsewhere(
  store: EvidenceStore,
  { evidence = [] }: JobStatus,
  stored: StoredRecords,
): string[] {
  const known = new Set(stored.evidence.map(({ summary }) => summary.uid));
  return evidence
    .filter(({ ref, uid }) => ref !== undefined && !known.has(uid))
    .map(({ ref, pod }) => `the record of pod ${pod}: ${ref} is not in ${store.location}`);
}
