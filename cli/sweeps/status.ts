import { Command, InvalidArgumentError, Option } from 'commander';
import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import type { SweepTrial } from '../../contracts/parameter-sweep.ts';
import { type Format, headingsOption, note, outputOption, print, writeData } from '../print/output.ts';
import { sweepText } from '../print/sweep-text.ts';
import { formatTable } from '../print/table.ts';
import { noProgress, trialRows } from '../print/trial-rows.ts';
import { withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';
import { aSweep, sweepNamed } from './named-sweep.ts';
import { type SortBy, sortIn } from './sort-by.ts';

interface StatusFlags {
  readonly trials?: boolean;
  readonly sort?: SortBy;
  readonly headers: boolean;
  readonly output: Format | 'csv';
}

const EXAMPLES = [
  'sweep status train',
  'sweep status ml/train -o json',
  'sweep status train --sort progress | head -4',
  'sweep status train --sort progress:desc -o csv',
];

const HELP = `--trials shows each trial: its values, its phase, the last progress that it reported, and how long it has taken. The
progress is what the policy's \`progress.log\` finds in the log, e.g. 'loss=([0-9.e+-]+)'; without it there is none.`;

/** `signalbox sweep status`: how far a sweep is, or how far each of its trials is. */
export const sweepStatusCommand = (): Command =>
  withExamples(new Command('status'), EXAMPLES, HELP)
    .description('show how many trials have ended, and which failed; or each trial')
    .addArgument(aSweep())
    .option('--trials', 'show each trial with its values and its last progress')
    .addOption(
      new Option(
        '--sort <column[:desc]>',
        'the trials by progress, time, phase, name or a parameter; numbers by their size, those without one last',
      ).argParser(readSort),
    )
    .addOption(headingsOption())
    .addOption(outputOption('csv'))
    .action(async (name: string, flags: StatusFlags, command: Command) => {
      const { output, sort } = flags;
      await withClient(command, async ({ client }) => {
        const sweep = sweepNamed(client, name);
        if (flags.trials || sort) return printTrials(sweep, flags);
        if (output === 'csv') throw new UsageError('-o csv: expected --trials with it.');
        const summary = await sweep.summary();
        await print(summary, output, () => sweepText(summary));
      });
    });

function readSort(text: string): SortBy {
  const sort = sortIn(text);
  if (!sort) throw new InvalidArgumentError('Expected COLUMN, COLUMN:asc or COLUMN:desc.');
  return sort;
}

async function printTrials(sweep: SweepHandle, { sort, headers, output }: StatusFlags): Promise<void> {
  const trials = await sweep.trials();
  const shown = sort ? (await import('./sort-trials.ts')).sortedTrials(trials, sort) : trials;
  const lacking = noProgress(trials);
  if (lacking !== undefined && (output === undefined || sort?.column === 'progress')) note(lacking);
  if (output !== 'csv')
    return print(shown, output, () => {
      const { head, rows } = trialRows(shown);
      return formatTable(headers ? head : undefined, rows);
    });
  const { csvLines } = await import('../audit/csv-lines.ts');
  writeData(csvLines(csvRows(shown, headers)).trimEnd(), 'csv');
}

/** Values and numbers as they are, times as RFC 3339. */
function csvRows(trials: readonly SweepTrial[], hasHeadings: boolean) {
  const parameters = Object.keys(trials[0]?.values ?? {});
  const head = ['name', ...parameters, 'phase', 'reason', 'progress', 'start_time', 'end_time'];
  const rows = trials.map(({ name, values, phase, reason, progress, startTime, endTime }) => [
    ...[name, ...parameters.map((parameter) => cellOf(values[parameter]))],
    ...[phase, reason ?? null, progress ?? null, startTime ?? null, endTime ?? null],
  ]);
  return hasHeadings ? [head, ...rows] : rows;
}

const cellOf = (value: unknown): string | number | boolean | null =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as string | number | boolean)
    : JSON.stringify(value ?? null);
