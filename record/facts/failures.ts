import type { LedgerEntry, LedgerPod } from '../../contracts/types.ts';
import { isRestartInPlace } from './in-place-restarts.ts';

/** A pod that failed, as the ledger has it. */
export interface LedgerFailure {
  readonly pod: LedgerPod;
  /** Whether its kubelet only restarted a container: the pod itself has not failed. */
  readonly isInPlace: boolean;
  /** The first entry about it, of those about its failure if there are any. */
  readonly entry: LedgerEntry;
  /** The entry that says what followed: the first one about it with a rule, or the first one. */
  readonly decision: LedgerEntry;
}

/** Returns the pods that failed, or whose containers did, each once: several entries may be about one pod. */
export function failedPodsOf(entries: readonly LedgerEntry[]): readonly LedgerFailure[] {
  const mentions = entries.flatMap((entry) => (entry.pods ?? []).map((pod) => ({ entry, pod })));
  const byPod = Map.groupBy(mentions, ({ entry, pod }) => pod.uid ?? `${entry.attempt} ${pod.pod}`);
  return [...byPod.values()].map((ofPod) => {
    const failed = ofPod.filter(({ entry }) => !isRestartInPlace(entry));
    const [first] = [...failed, ...ofPod] as [(typeof ofPod)[number]];
    const decision = ofPod.find(({ entry }) => entry.rule !== undefined) ?? first;
    return { ...first, isInPlace: failed.length === 0, decision: decision.entry };
  });
}
