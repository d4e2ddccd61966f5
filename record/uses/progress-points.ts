import type { LedgerEntry } from '../../contracts/types.ts';
import { numberInText } from '../../language/number-in-text.ts';
import { ms } from '../facts/times.ts';

/** How far the program was at a time. */
export interface ProgressPoint {
  readonly at: number;
  readonly value: number;
  readonly attempt: number;
  /** The attempt went on from another step, and it is not known from which. */
  readonly mayBeLost?: true;
}

/** Returns the reports that the ledger has, in order, without those that are no number. */
export function progressPointsOf(entries: readonly LedgerEntry[]): readonly ProgressPoint[] {
  const points: ProgressPoint[] = [];
  for (const { attempt, progress } of entries) {
    if (!progress) continue;
    const value = numberInText(progress.value);
    const at = ms(progress.at);
    const before = points.at(-1);
    if (value === undefined || Number.isNaN(at) || (before && at <= before.at)) continue;
    points.push({ at, value, attempt });
  }
  return points;
}
