import type { LedgerEntry } from '../../../contracts/ledger.ts';
import { isFinal } from '../../../contracts/status.ts';
import { ms } from './time.ts';

export interface ToldAttempt {
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
export function attemptsOf(entries: readonly LedgerEntry[], until: number): ToldAttempt[] {
  const byNumber = Map.groupBy(entries, ({ attempt }) => attempt);
  return [...byNumber].map(([number, own]) => {
    const next = byNumber.get(number + 1)?.[0];
    const end = endOf(own, next);
    const ran = own.find(({ phase }) => phase === 'Running');
    return {
      number,
      from: ms(own[0]!.at),
      to: next ? ms(next.at) : end ? ms(end.at) : until,
      end,
      ...(ran ? { ranAt: ms(ran.at) } : {}),
      failedPods: new Set(own.flatMap(({ pods = [] }) => pods.map(({ uid, pod }) => uid ?? pod))).size,
      nodes: [...new Set(own.flatMap(({ pods = [] }) => pods.flatMap(({ node }) => node ?? [])))].sort(),
    };
  });
}

/** A job decides to restart in its old attempt, or with the first entry of the new one. */
function endOf(own: readonly LedgerEntry[], next: LedgerEntry | undefined): LedgerEntry | undefined {
  if (!next) return own.find(({ phase }) => isFinal(phase));
  const decided = own.findLast(({ phase, cause }) => phase === 'Restarting' && cause.type !== 'effect');
  const started = decided && own.find(({ phase, seq }) => phase === 'Restarting' && seq <= decided.seq);
  return started ?? next;
}
