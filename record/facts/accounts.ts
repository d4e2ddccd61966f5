import type { ReasonCode } from '../../contracts/reasons.ts';
import type { LedgerEntry, Phase } from '../../contracts/types.ts';
import { intervalsOf } from './intervals.ts';
import type { Span } from './spans.ts';

/** How much time a job spent in a phase for a cause. */
export interface SpentTime {
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly ms: number;
}

/** Adds up the milliseconds of a job by phase. */
export function msByPhase(entries: readonly LedgerEntry[], until: number): ReadonlyMap<Phase, number> {
  const sums = new Map<Phase, number>();
  for (const {
    from,
    to,
    entries: [{ phase }],
  } of intervalsOf(entries, until))
    sums.set(phase, (sums.get(phase) ?? 0) + to - from);
  return sums;
}

/** Adds up a job's time by phase and cause, the most first within each phase. */
export function spentTimesOf(spans: readonly Span[]): SpentTime[] {
  const sums = new Map<string, SpentTime>();
  for (const { phase, reason, from, to } of spans) {
    const key = `${phase} ${reason ?? ''}`;
    const sum = sums.get(key)?.ms ?? 0;
    sums.set(key, { phase, reason, ms: sum + to - from });
  }
  return [...sums.values()].filter((account) => account.ms > 0).sort((a, b) => b.ms - a.ms);
}
