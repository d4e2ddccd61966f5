import { Argument, Command } from 'commander';
import type { JobComparison } from '../../record/compare/compare-jobs.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { completedBy } from '../shell/completed-by.ts';
import { exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface DiffFlags extends ArchivedFlags {
  readonly output: Format;
}

const EXAMPLES = [
  'diff train train-2',
  'diff train@1 train@3',
  'diff train@5f0c1a2b-0000-4000-8000-000000000001 train -o json',
  'diff ml/train ml/train-2 --archived',
];

const HELP = `NAME@REVISION takes the manifest of a revision, by default the last one; NAME@RUN another job that had the name: @-1 is
the one before the newest, and @ with the beginning of a run id names one. The exit code is 0 if the jobs are equal, apart from names, times and nodes, and 6 if they differ.`;

export const diffCommand = (): Command =>
  withExamples(archivedOptions(new Command('diff')), EXAMPLES, HELP)
    .description('compare two jobs, or two revisions of one: manifests, what ran, outcomes')
    .addArgument(completedBy('jobs', new Argument('<a>', 'NAME, NAME@REVISION or NAME@RUN')))
    .addArgument(completedBy('jobs', new Argument('<b>', 'the same')))
    .addOption(outputOption())
    .action(async (a: string, b: string, { archived, output }: DiffFlags, command: Command) => {
      const settings = await settingsOf(command);
      const [{ readSides }, { compareJobs }] = await Promise.all([
        import('../compare/sides.ts'),
        import('../../record/compare/compare-jobs.ts'),
      ]);
      const [one, other] = await readSides([a, b], { archived, command, settings });
      const compared = compareJobs(one!, other!);
      await print(dataOf(compared), output, () => textOfComparison(compared, [a, b]));
      exitWith(compared.isEqual ? 'ok' : 'different');
    });

/** Without the steps, which the paths have. */
const dataOf = (compared: JobComparison) =>
  JSON.parse(
    JSON.stringify(compared, (key, value: unknown) => (key === 'steps' ? undefined : value)),
  ) as object;

async function textOfComparison(compared: JobComparison, names: readonly [string, string]): Promise<string> {
  const { comparisonText } = await import('../print/comparison-text.ts');
  return comparisonText(compared, names);
}
