import type { LedgerEntry } from '../../contracts/types.ts';
import { ms } from '../facts/times.ts';
import type { ProgressPoint } from './progress-points.ts';
import type { RestartFact } from './restart-causes.ts';

/** A time in which the program of an attempt ran. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly attempt: number;
}

/** Clocks of nodes differ, and a program steps before the job is told to run. */
const SKEW_MS = 60_000;

/**
 * Returns how far attempts came as their logs told when they ended. After a restart whose attempt is not read yet, work is lost
 * back to the last complete checkpoint at least; without one, nobody knows how much.
 */
export function readPointsOf(
  entries: readonly LedgerEntry[],
  runs: readonly Run[],
  restarts: readonly RestartFact[],
): readonly ProgressPoint[] {
  const read = entries.flatMap(({ steps }) => (steps ? [steps] : []));
  return read.flatMap((steps, index) => {
    const points = pointsWithin(runs, steps);
    const end = points.at(-1);
    const restart = end && restarts.find(({ at }) => at >= end.at);
    if (!restart || index < read.length - 1) return points;
    const saved = steps.saved?.step;
    if (saved === undefined) return points.map((point) => ({ ...point, mayBeLost: true as const }));
    return [...points, { at: Math.max(restart.at, end.at + 1), value: saved, attempt: 0 }];
  });
}

/** The begin and the end of one run; nothing of an attempt that ran more than once between them. */
function pointsWithin(
  runs: readonly Run[],
  steps: NonNullable<LedgerEntry['steps']>,
): readonly ProgressPoint[] {
  const { attempt, first, last } = steps;
  const [from, to] = [ms(first.at), ms(last.at)];
  const run = runs.find(
    (one) =>
      one.attempt === attempt &&
      from < one.to &&
      to > one.from &&
      from >= one.from - SKEW_MS &&
      to <= one.to + SKEW_MS,
  );
  if (!run || to <= from) return [];
  return [
    { at: Math.max(from, run.from), value: first.step, attempt },
    { at: Math.min(to, run.to), value: last.step, attempt },
  ];
}
