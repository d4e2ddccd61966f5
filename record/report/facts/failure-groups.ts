import type { EvidenceRecord, LedgerEntry } from '../../../contracts/types.ts';
import { failedPodsOf, type LedgerFailure } from '../../facts/failures.ts';

/** A pod that failed, with its evidence. */
export interface Failure extends Omit<LedgerFailure, 'entry' | 'decision'> {
  /** Entries about it: absent if only the evidence knows it. */
  readonly entry?: LedgerEntry;
  readonly decision?: LedgerEntry;
  readonly attempt: number;
  readonly at: string;
  readonly record?: EvidenceRecord;
}

/** Pods that failed alike: in the same attempt, of the same role, with the same end. */
export interface FailureGroup extends Pick<LedgerFailure, 'isInPlace'> {
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
  const groups = Map.groupBy(failuresOfLedger(entries, evidence), ({ pod, attempt, isInPlace }) => {
    const { role, container, exitCode, signal, reason } = pod;
    return JSON.stringify([attempt, role?.toLowerCase(), container, exitCode, signal, reason, isInPlace]);
  });
  return [...groups.values()].map((failures) => ({
    isInPlace: failures[0]!.isInPlace,
    failures: failures.sort(withRecordFirst),
  }));
}

const withRecordFirst = (a: Failure, b: Failure) => Number(Boolean(b.record)) - Number(Boolean(a.record));

function failuresOfLedger(entries: readonly LedgerEntry[], evidence: readonly EvidenceRecord[]): Failure[] {
  const records = new Map(evidence.map((record) => [record.summary.uid, record]));
  const recorded = failedPodsOf(entries).map((failed): Failure => {
    const { pod, entry } = failed;
    const record = records.get(pod.uid ?? '');
    return { ...failed, pod: { ...record?.summary, ...pod }, attempt: entry.attempt, at: entry.at, record };
  });
  const known = new Set(recorded.map(({ pod }) => pod.uid));
  const others = evidence
    .filter(({ summary }) => !known.has(summary.uid))
    .map((record) => ({
      ...{ pod: record.summary, isInPlace: false, attempt: record.summary.attempt },
      ...{ at: record.failedAt, record },
    }));
  return [...recorded, ...others].sort((a, b) => a.attempt - b.attempt || a.at.localeCompare(b.at));
}
