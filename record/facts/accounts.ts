import type { ReasonCode } from '../../contracts/reasons.ts';
import type { LedgerEntry, Phase } from '../../contracts/types.ts';
import { intervalsOf } from './intervals.ts';
import type { PodLife } from './pod-lives.ts';
import type { Span } from './spans.ts';
import { ms } from './times.ts';

/** How much time, and how many GPU-hours, a job spent in a phase for a cause. */
export interface SpentTime {
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly ms: number;
  readonly gpuHours: number;
}

/** How many GPUs pods with a node had from this time on. */
interface Held {
  readonly at: number;
  readonly gpus: number;
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
export function spentTimesOf(spans: readonly Span[], held: readonly Held[]): SpentTime[] {
  const sums = new Map<string, SpentTime>();
  const meter = gpuMeter(held);
  for (const { phase, reason, from, to } of spans) {
    const key = `${phase} ${reason ?? ''}`;
    const sum = sums.get(key) ?? { phase, reason, ms: 0, gpuHours: 0 };
    const gpuHours = sum.gpuHours + meter(from, to) / 3_600_000;
    sums.set(key, { ...sum, ms: sum.ms + to - from, gpuHours });
  }
  return [...sums.values()].filter((account) => account.ms > 0).sort((a, b) => b.ms - a.ms);
}

/** Returns GPU-milliseconds of a time. Times must be asked in their order: it reads the changes once. */
function gpuMeter(held: readonly Held[]): (from: number, to: number) => number {
  let next = 0;
  let gpus = 0;
  const goTo = (at: number) => {
    while (held[next] && held[next]!.at <= at) gpus = held[next++]!.gpus;
  };
  return (from, to) => {
    goTo(from);
    let [sum, since] = [0, from];
    while (held[next] && held[next]!.at < to) {
      sum += gpus * (held[next]!.at - since);
      since = held[next]!.at;
      goTo(since);
    }
    return sum + gpus * (to - since);
  };
}

/** GPUs held by the recorded pods: from when they had a node until they ended. */
export function heldByPods(lives: readonly PodLife[], gpus: ReadonlyMap<string, number>): Held[] {
  const changes = lives.flatMap(({ role, stretches, to }) => {
    const placed = stretches.find(({ state }) => state !== 'waiting');
    const each = gpus.get(role) ?? 0;
    return placed && each > 0
      ? [
          { at: placed.from, by: each },
          { at: to, by: -each },
        ]
      : [];
  });
  let sum = 0;
  return changes
    .sort((a, b) => a.at - b.at)
    .map(({ at, by }) => {
      sum += by;
      return { at, gpus: sum };
    });
}

/**
 * The same by the counts of the ledger, which have the number of scheduled pods of a role. Those that are being deleted hold
 * their GPUs until they are gone.
 */
export const heldByCounts = (entries: readonly LedgerEntry[], gpus: ReadonlyMap<string, number>): Held[] =>
  entries.flatMap(({ at, counts }) => {
    if (!counts) return [];
    const roles = Object.entries(counts).map(
      ([role, { scheduled = 0, ready = 0, terminating = 0 }]) =>
        (gpus.get(role.toLowerCase()) ?? 0) * (scheduled + ready + terminating),
    );
    return [{ at: ms(at), gpus: roles.reduce((sum, held) => sum + held, 0) }];
  });
