import type { SweepOptions } from '../../client/use-cases/parameter-sweep/sweep-options.ts';
import { type Format, formatted, print } from './output.ts';
import { formatTable } from './table.ts';
import { valueText } from './trial-rows.ts';

/** People read the first ones; `-o json` has all. */
const MOST_ROWS = 50;

/** Checks a sweep, and prints its combinations and the first manifest. Asks no server. */
export async function printPlan(manifest: object, options: SweepOptions, output: Format): Promise<void> {
  const [{ plannedSweep }, { nameOfTrial, trialAt }, { combinationAt }] = await Promise.all([
    import('../../client/use-cases/parameter-sweep/start-sweep.ts'),
    import('../../client/use-cases/parameter-sweep/trial-manifest.ts'),
    import('../../client/use-cases/parameter-sweep/combinations.ts'),
  ]);
  const { sweep, planned } = await plannedSweep(manifest, options);
  const trials = Array.from({ length: planned.trials }, (_, index) => ({
    name: nameOfTrial(sweep, index),
    values: combinationAt(sweep.set, index),
  }));
  const trial = trialAt(sweep, 0);
  const first = 'manifest' in trial ? trial.manifest : undefined;
  await print({ ...planned, combinations: trials, manifest: first }, output, async () => {
    const rows = trials
      .slice(0, MOST_ROWS)
      .map(({ name, values }) => [name, ...Object.values(values).map(valueText)]);
    const table = await formatTable(['TRIAL', ...Object.keys(sweep.set)], rows);
    const more = trials.length - rows.length;
    const heading = `${trials.length} trials, at most ${planned.atMost} at once. The manifest of the first:`;
    return [
      table,
      ...(more > 0 ? [`and ${more} more`] : []),
      '',
      heading,
      '',
      await formatted(first, 'yaml'),
    ].join('\n');
  });
}
