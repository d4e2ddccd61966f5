import type { LedgerEntry, RecordedContainer, RecordedPod } from '../../contracts/types.ts';
import { countText } from '../../language/count-text.ts';
import { ms } from './times.ts';

/** A restart of a pod's container by its kubelet, as far as one is known. */
export interface KnownRestart {
  readonly at: number;
  /** What is known of it, in a sentence. */
  readonly message: string;
}

/** Whether an entry is about a pod whose container the kubelet restarts: neither the pod nor the job has failed. */
export const isRestartInPlace = ({ cause, phase, pods = [] }: LedgerEntry): boolean =>
  pods.length > 0 && cause.type === 'digest' && phase !== 'Restarting' && phase !== 'Failed';

/** Returns the restarts that the ledger saw, by the uid of their pod. */
export function restartsByPod(entries: readonly LedgerEntry[]): ReadonlyMap<string, readonly KnownRestart[]> {
  const seen = entries.filter(isRestartInPlace).flatMap((entry) =>
    (entry.pods ?? []).map(({ uid, pod }) => ({
      key: uid ?? pod,
      restart: { at: ms(entry.at), message: entry.message },
    })),
  );
  const byPod = Map.groupBy(seen, ({ key }) => key);
  return new Map([...byPod].map(([key, found]) => [key, found.map(({ restart }) => restart)]));
}

/** How often the containers of a pod were restarted in place. */
export const countRestartsOf = ({ containers }: RecordedPod): number =>
  containers.reduce((sum, { restarts }) => sum + restarts, 0);

/** Adds the start of the last run, which the pod's status has, unless the ledger saw every restart. */
export function knownRestarts(pod: RecordedPod, seen: readonly KnownRestart[] = []): readonly KnownRestart[] {
  if (seen.length >= countRestartsOf(pod)) return seen;
  const restarted = pod.containers.filter(({ restarts, startedAt }) => restarts > 0 && startedAt);
  const last = restarted
    .map((container) => lastStart(pod, container))
    .sort((a, b) => a.at - b.at)
    .at(-1);
  return last && last.at > (seen.at(-1)?.at ?? 0) ? [...seen, last] : seen;
}

const lastStart = (
  { pod }: RecordedPod,
  { name, restarts, startedAt = '' }: RecordedContainer,
): KnownRestart => ({
  at: ms(startedAt),
  message: `${pod}: container ${name} began its last run, after ${countText(restarts, 'restart')} in place`,
});
