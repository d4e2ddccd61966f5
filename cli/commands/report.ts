import { Command } from 'commander';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { momentOf } from '../input/parse.ts';
import type { GivenPrices } from '../input/read-prices.ts';
import { type ChosenJob, chosenJob } from '../jobs/job-choice.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { note } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface ReportFlags extends ArchivedFlags, WebFlags {
  readonly out?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly withJobs?: boolean;
}

const EXAMPLES = [
  'report train',
  'report train -o reports/train.html --prices prices.yaml',
  'report train --archived -o -',
  'report -n ml --since 30d',
  'report -n ml --since 2026-11-01 --until 2026-12-01 --with-jobs -o november.html',
  'report --since 30d -o json',
];

const HELP = `With --since or --until instead of a name, one page about all jobs of a namespace, or without -n of all: what was paid for,
success rate, failures, restarts, nodes, slowest starts (docs/cost.md#a-month-on-a-page).`;

export const reportCommand = (): Command =>
  settingOptions(
    evidenceOptions(
      withExamples(webOption(archivedOptions(aboutJob(new Command('report')))), EXAMPLES, HELP),
    ),
    ['archiveStore', 'prices'],
  )
    .description('write one HTML file about a job, or about the jobs of a namespace in some days')
    .option(
      '-o, --out <file>',
      'the file to write; - is standard output; with --since, json prints the figures; default: NAME.html, or report-NAMESPACE.html',
    )
    .option(
      '--since <time>',
      'from this day in UTC on: RFC 3339, a day, or a duration ago like 30d',
      momentOf,
    )
    .option('--until <time>', 'before this day', momentOf)
    .option(
      '--with-jobs',
      'with --since: also write the reports of the jobs that the page names, and link them',
    )
    .action(async (name: string | undefined, flags: ReportFlags, command: Command) => {
      if (flags.web && (flags.since ?? flags.until))
        throw new UsageError('--web is about one job. Expected neither --since nor --until with it.');
      if (flags.web) return openInConsole([chosenFrom(name, flags, command)], command, flags);
      const settings = await settingsOf(command);
      const { readPrices } = await import('../input/read-prices.ts');
      const given = await readPrices(settings.values.prices);
      const { since, until, out, withJobs, archived } = flags;
      if (since === undefined && until === undefined)
        return writeOne(chosenFrom(name, flags, command), flags, { command, given });
      if (name !== undefined)
        throw new UsageError(
          `--since and --until are about many jobs. Expected no name with them, got ${name}.`,
        );
      const { writePeriodReport } = await import('../report/period-report.ts');
      await writePeriodReport({ since, until, out, withJobs, archived }, { command, given });
    });

function chosenFrom(name: string | undefined, { out, withJobs }: ReportFlags, command: Command): ChosenJob {
  const { workflowId } = command.optsWithGlobals<{ workflowId?: string }>();
  if (name === undefined && workflowId === undefined)
    throw new UsageError(
      'No job given. Expected its NAME, --workflow-id, or --since for all jobs of a namespace.',
    );
  if (withJobs) throw new UsageError('--with-jobs is about many jobs. Expected --since with it, got none.');
  if (out === 'json')
    throw new UsageError('-o json prints the figures of many jobs. Expected --since with it, got none.', {
      remedy: '`signalbox cost NAME -o json`, `get` and `history` print what is known of one job.',
    });
  return chosenJob(name, command);
}

interface Asking {
  readonly command: Command;
  readonly given: GivenPrices | undefined;
}

async function writeOne(
  chosen: ChosenJob,
  { archived, out }: ReportFlags,
  { command, given }: Asking,
): Promise<void> {
  const read = await liveOrArchived({ command, archived }, chosen, {
    server: (job) => job.report(),
    archive: async (archive) => {
      const { archivedReport } = await import('../../client/use-cases/report/archived-report.ts');
      return archivedReport(archive);
    },
  });
  const data = given ? { ...read, prices: given.prices } : read;
  const [{ renderReport }, { writeReport }] = await Promise.all([
    import('../report/render-report.ts'),
    import('../report/write-report.ts'),
  ]);
  for (const what of data.missing) note(`warning: the report lacks ${what}`);
  await writeReport(renderReport(data), out ?? `${data.status.name}.html`);
}
