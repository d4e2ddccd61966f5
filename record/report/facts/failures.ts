import type { EvidenceRecord } from '../../../contracts/evidence-record.ts';
import type { LedgerEntry, LedgerPod } from '../../../contracts/ledger.ts';
import { isRestartInPlace } from './in-place-restarts.ts';

/** A pod that failed, with the entries about it and its evidence. */
export interface Failure {
  readonly pod: LedgerPod;
  readonly entry?: LedgerEntry;
  /** The entry that says what followed: the first one about it with a rule, or the first one. */
  readonly decision?: LedgerEntry;
  readonly attempt: number;
  readonly at: string;
  readonly record?: EvidenceRecord;
}

/** Pods that failed alike: in the same attempt, of the same role, with the same end. */
export interface FailureGroup {
  /** Whether only their containers failed, and were restarted in place. */
  readonly isInPlace: boolean;
  readonly failures: readonly Failure[];
}

/** How many pods failed. Those whose containers were only restarted in place have not. */
export const countFailedPods = (groups: readonly FailureGroup[]): number =>
  groups.reduce((sum, { isInPlace, failures }) => (isInPlace ? sum : sum + failures.length), 0);

/** Returns what failed, the first one first, and the like together. */
export function failureGroupsOf(
  entries: readonly LedgerEntry[],
  evidence: readonly EvidenceRecord[],
): FailureGroup[] {
  const restarted = restartedInPlace(entries);
  const isInPlace = ({ pod }: Failure) => restarted.has(keyOf(pod));
  const groups = Map.groupBy(failuresOf(entries, evidence), (failure) => {
    const { role, container, exitCode, signal, reason } = failure.pod;
    const how = [container, exitCode, signal, reason, isInPlace(failure)];
    return JSON.stringify([failure.attempt, role?.toLowerCase(), ...how]);
  });
  return [...groups.values()].map((failures) => ({
    isInPlace: isInPlace(failures[0]!),
    failures: failures.sort(withRecordFirst),
  }));
}

/** Returns the pods of which no entry says more than that their kubelet restarted a container. */
function restartedInPlace(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  const podsOf = (some: readonly LedgerEntry[]) => some.flatMap(({ pods = [] }) => pods.map(keyOf));
  const failed = new Set(podsOf(entries.filter((entry) => !isRestartInPlace(entry))));
  return new Set(podsOf(entries.filter(isRestartInPlace)).filter((key) => !failed.has(key)));
}

const keyOf = ({ uid, pod }: LedgerPod) => uid ?? pod;

const withRecordFirst = (a: Failure, b: Failure) => Number(Boolean(b.record)) - Number(Boolean(a.record));

function failuresOf(entries: readonly LedgerEntry[], evidence: readonly EvidenceRecord[]): Failure[] {
  const records = new Map(evidence.map((record) => [record.summary.uid, record]));
  const failures = new Map<string, Failure>();
  const decided = new Map<string, LedgerEntry | undefined>();
  for (const entry of entries) {
    for (const pod of entry.pods ?? []) {
      const key = pod.uid ?? `${entry.attempt} ${pod.pod}`;
      const record = pod.uid ? records.get(pod.uid) : undefined;
      decided.set(key, decided.get(key) ?? (entry.rule === undefined ? undefined : entry));
      const known = {
        pod: { ...record?.summary, ...pod },
        entry,
        attempt: entry.attempt,
        at: entry.at,
        record,
      };
      if (!failures.has(key)) failures.set(key, known);
    }
  }
  for (const record of evidence) {
    const { uid, attempt } = record.summary;
    if (failures.has(uid)) continue;
    failures.set(uid, { pod: record.summary, attempt, at: record.failedAt, record });
  }
  return [...failures]
    .map(([key, failure]) => ({ ...failure, decision: decided.get(key) ?? failure.entry }))
    .sort((a, b) => a.attempt - b.attempt || a.at.localeCompare(b.at));
}
