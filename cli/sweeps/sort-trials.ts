import type { SweepTrial } from '../../contracts/parameter-sweep.ts';
import { compareText } from '../../language/compare-text.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { asNumber, trialTime, valueText } from '../print/trial-rows.ts';
import { UsageError } from '../shell/errors.ts';
import type { SortBy } from './sort-by.ts';

type Key = number | string | undefined;

const COLUMNS: Readonly<Record<string, (trial: SweepTrial) => Key>> = {
  progress: ({ progress }) => (progress === undefined ? undefined : (asNumber(progress) ?? progress)),
  time: trialTime,
  phase: ({ phase }) => phase,
  name: ({ index }) => index,
};

/** Returns the trials in the order of a column; those that have nothing there come last, in either direction. */
export function sortedTrials(
  trials: readonly SweepTrial[],
  { column, isDescending }: SortBy,
): readonly SweepTrial[] {
  const keyOf = keyOfColumn(column, Object.keys(trials[0]?.values ?? {}));
  const keyed = trials.map((trial) => ({ trial, key: keyOf(trial) }));
  const sign = isDescending ? -1 : 1;
  const [known, unknown] = [
    keyed.filter(({ key }) => key !== undefined),
    keyed.filter(({ key }) => key === undefined),
  ];
  known.sort((one, other) => sign * compareKeys(one.key!, other.key!) || one.trial.index - other.trial.index);
  return [...known, ...unknown].map(({ trial }) => trial);
}

/** A parameter may have the name of a column. */
function keyOfColumn(column: string, parameters: readonly string[]): (trial: SweepTrial) => Key {
  const own = COLUMNS[column];
  if (own) return own;
  if (parameters.includes(column))
    return ({ values }) => asNumber(valueText(values[column])) ?? valueText(values[column]);
  const known = [...Object.keys(COLUMNS), ...parameters];
  const meant = didYouMean(nearest(column, known));
  throw new UsageError(
    `--sort: expected one of ${known.join(', ')}${meant && ` (${meant})`}, got ${column}.`,
  );
}

/** Numbers before texts. */
function compareKeys(one: NonNullable<Key>, other: NonNullable<Key>): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  return typeof one === 'number' ? -1 : 1;
}
