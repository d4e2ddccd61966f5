import type { EvidenceRecord } from '../../../contracts/evidence-record.ts';
import type { LedgerEntry, LedgerPod } from '../../../contracts/ledger.ts';

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
  readonly failures: readonly Failure[];
}

/** Returns what failed, the first one first, and the like together. */
export function failureGroupsOf(
  entries: readonly LedgerEntry[],
  evidence: readonly EvidenceRecord[],
): FailureGroup[] {
  const groups = Map.groupBy(failuresOf(entries, evidence), ({ attempt, pod }) =>
    JSON.stringify([attempt, pod.role?.toLowerCase(), pod.container, pod.exitCode, pod.signal, pod.reason]),
  );
  return [...groups.values()].map((failures) => ({ failures: failures.sort(withRecordFirst) }));
}

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
