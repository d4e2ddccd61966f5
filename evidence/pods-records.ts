import pMap from 'p-map';
import { podsRecord } from '../contracts/schemas/pods-record.ts';
import type { PodsRecord, RecordedPod } from '../contracts/types.ts';
import { folderOf, isPodsRecordKey, type RecordedJob } from './record-key.ts';
import type { EvidenceStore } from './store.ts';

/** Records read at the same time: each replacement of pods within an attempt has one of its own. */
const AT_ONCE = 16;

interface ReadOptions {
  /** Called for a record that was damaged, or is of a later version, which is left out then. Without it, it is an error. */
  readonly unreadable?: (error: Error) => void;
}

/**
 * Returns what ran in each attempt of a job, by attempt. Each pod is in it once, as it was read last. Throws if the store
 * cannot be read.
 */
export async function podsRecordsOf(
  store: EvidenceStore,
  job: RecordedJob,
  options: ReadOptions = {},
): Promise<PodsRecord[]> {
  const keys = (await store.list(folderOf(job))).filter(isPodsRecordKey);
  const records = await pMap(keys, (key) => readRecord(store, key, options), { concurrency: AT_ONCE });
  return mergedByAttempt(records.flatMap((record) => record ?? []));
}

/** Returns undefined for a record that has expired since it was listed. */
async function readRecord(
  store: EvidenceStore,
  key: string,
  { unreadable }: ReadOptions,
): Promise<PodsRecord | undefined> {
  const text = await store.find(key);
  if (text === undefined) return undefined;
  try {
    return podsRecord.parse(JSON.parse(text));
  } catch (cause) {
    const error = new Error(`${store.refOf(key)}: expected a record of pods by schemas/pods-record.json`, {
      cause,
    });
    if (!unreadable) throw error;
    unreadable(error);
    return undefined;
  }
}

function mergedByAttempt(records: readonly PodsRecord[]): PodsRecord[] {
  const byTime = records.toSorted((a, b) => Date.parse(a.takenAt) - Date.parse(b.takenAt));
  const byAttempt = Map.groupBy(byTime, ({ attempt }) => attempt);
  return [...byAttempt.values()]
    .map((ofAttempt) => ({ ...ofAttempt.at(-1)!, pods: latestOf(ofAttempt) }))
    .sort((a, b) => a.attempt - b.attempt);
}

/** A later reading of a pod says more of it. */
function latestOf(records: readonly PodsRecord[]): RecordedPod[] {
  const pods = new Map(records.flatMap((record) => record.pods.map((pod) => [pod.uid, pod] as const)));
  return [...pods.values()].sort(byRoleAndTime);
}

const byRoleAndTime = (a: RecordedPod, b: RecordedPod) =>
  compare(a.role, b.role) || a.index - b.index || compare(a.createdAt, b.createdAt) || compare(a.uid, b.uid);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
