import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry, Phase } from '../../contracts/types.ts';
import { failedPodsOf } from './failures.ts';
import { ms } from './times.ts';

export interface AttemptFacts {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  /** The entry with which the next attempt, or the job's end, was decided; absent while it goes on. */
  readonly end?: LedgerEntry;
  /** When it first ran; absent if it never did. */
  readonly ranAt?: number;
  readonly failedPods: number;
  readonly nodes: readonly string[];
}

/** Returns a job's attempts, the first one first. */
export function attemptsOf(entries: readonly LedgerEntry[], until: number): AttemptFacts[] {
  const byNumber = Map.groupBy(entries, ({ attempt }) => attempt);
  const failedPods = failedPodsOf(entries).filter(({ isInPlace }) => !isInPlace);
  const failed = Map.groupBy(failedPods, ({ entry }) => entry.attempt);
  return [...byNumber].map(([number, own]) => {
    const next = byNumber.get(number + 1)?.[0];
    const end = endOfAttempt(own, next);
    const ran = own.find(({ phase }) => phase === 'Running');
    const pods = (failed.get(number) ?? []).map(({ pod }) => pod);
    return {
      number,
      from: ms(own[0]!.at),
      to: next ? ms(next.at) : end ? ms(end.at) : until,
      end,
      ...(ran ? { ranAt: ms(ran.at) } : {}),
      failedPods: pods.length,
      nodes: [...new Set(pods.flatMap(({ node }) => node ?? []))].sort(),
    };
  });
}

/** The entry that ended it: the one with a rule, of those after it ran last; or the one with which the next began. */
function endOfAttempt(own: readonly LedgerEntry[], next: LedgerEntry | undefined): LedgerEntry | undefined {
  const last = own.findLastIndex(({ phase }) => !isFinal(phase) && !ENDING.has(phase));
  const ending = own.slice(last + 1);
  return ending.find(({ rule }) => rule !== undefined) ?? ending[0] ?? next;
}

const ENDING: ReadonlySet<Phase> = new Set<Phase>(['Restarting', 'Suspended']);
