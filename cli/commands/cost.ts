import { Command, Option } from 'commander';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob } from '../input/job-options.ts';
import { momentOf } from '../input/parse.ts';
import type { GivenPrices } from '../input/read-prices.ts';
import { type ChosenJob, chosenJob } from '../jobs/job-choice.ts';
import { replayHere } from '../jobs/replay-ledger.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { outputOption, print } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import type { Settings } from '../settings/settings.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface CostFlags extends ArchivedFlags, WebFlags {
  readonly output: 'json' | 'yaml' | 'csv' | undefined;
  readonly by?: readonly string[];
  readonly since?: Date;
  readonly until?: Date;
}

const EXAMPLES = [
  'cost train',
  'cost train --prices prices.yaml',
  'cost ml/train@-1 -o json',
  'cost --by team --since 30d',
  'cost --by namespace,use --since 2026-11-01 --until 2026-12-01 -o csv',
];

const HELP = `Uses follow from the ledger of a job alone and add up to what its pods held: gang, starting, productive, repeated, stalled,
unknown, held, restarting, finishing, spare (docs/cost.md). Without prices, it counts hours only. --by adds up all jobs, of all
namespaces unless -n names one, by namespace, user, kind, job, day, use, cause, resource, product, or by a label: its key.`;

/** `signalbox cost`: what the devices of a job, or of many, were used for, and what that cost. */
export const costCommand = (): Command =>
  settingOptions(withExamples(webOption(archivedOptions(aboutJob(new Command('cost')))), EXAMPLES, HELP), [
    'archiveStore',
    'prices',
  ])
    .description('show what the GPUs and other devices of jobs were used for, and what they cost')
    .addOption(
      completedBy(
        'groups',
        new Option('--by <keys>', 'all jobs, added up by these, e.g. team or namespace,use'),
      ).argParser((text: string) => text.split(',')),
    )
    .option(
      '--since <time>',
      'with --by: from this day in UTC on: RFC 3339, a day, or a duration ago like 30d',
      momentOf,
    )
    .option('--until <time>', 'with --by: before this day', momentOf)
    .addOption(outputOption('csv'))
    .action(async (name: string | undefined, flags: CostFlags, command: Command) => {
      const settings = await settingsOf(command);
      const { readPrices } = await import('../input/read-prices.ts');
      const given = await readPrices(settings.values.prices);
      if (flags.web && flags.by) throw new UsageError('--web is about one job. Expected no --by with it.');
      if (flags.by) {
        if (name !== undefined)
          throw new UsageError(`--by is about all jobs. Expected no name with it, got ${name}.`);
        const { printGroups } = await import('../cost/print-groups.ts');
        return printGroups(command, { ...flags, by: flags.by, prices: given?.document });
      }
      if (flags.since ?? flags.until)
        throw new UsageError('--since and --until are about many jobs. Expected --by with them, got none.');
      const { workflowId } = command.optsWithGlobals<{ workflowId?: string }>();
      if (name === undefined && workflowId === undefined)
        throw new UsageError('No job given. Expected its NAME, --workflow-id, or --by for all jobs.');
      if (flags.web)
        return openInConsole([chosenJob(name, command)], command, {
          section: 'uses',
          archived: flags.archived,
        });
      await printJob(chosenJob(name, command), flags, { command, settings, given });
    });

interface Asking {
  readonly command: Command;
  readonly given: GivenPrices | undefined;
}

async function printJob(
  chosen: ChosenJob,
  { archived, output }: CostFlags,
  { command, settings, given }: Asking & { readonly settings: Settings },
): Promise<void> {
  const prices = given?.document;
  const cost = await liveOrArchived({ command, archived }, chosen, {
    server: (job) => job.cost({ prices, replay: replayHere(settings.temporal) }),
    archive: async (archive) => {
      const { archivedCost } = await import('../../client/use-cases/cost/job-cost.ts');
      return archivedCost(archive, { prices });
    },
  });
  if (output === 'csv') {
    const [{ printRows }, { useRows }] = await Promise.all([
      import('../cost/print-rows.ts'),
      import('../cost/use-rows.ts'),
    ]);
    return printRows(useRows(cost.uses, given?.prices));
  }
  const { costText } = await import('../cost/cost-text.ts');
  await print(cost, output, () => costText(cost));
}
