import { Command } from 'commander';
import type { ScheduleSummary } from '../../client/use-cases/schedules/schedule-types.ts';
import { allOf } from '../../language/all-of.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import { printListed } from '../print/listed.ts';
import { type Format, headingsOption, outputOption, print, type TableFormat } from '../print/output.ts';
import { scheduleTable, scheduleText } from '../print/schedule-text.ts';
import { withClient } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';
import { aboutSchedule, selectorOf } from './schedule-arguments.ts';

interface ListFlags {
  readonly allNamespaces?: boolean;
  readonly headers: boolean;
  readonly output: TableFormat;
}

export const scheduleListCommand = (): Command =>
  withExamples(new Command('list'), ['schedule list', 'schedule list -A -o json'])
    .description('list schedules, those of other tools included')
    .addOption(allNamespacesOption())
    .addOption(headingsOption())
    .addOption(outputOption('name'))
    .action(async ({ allNamespaces, headers, output }: ListFlags, command: Command) => {
      await withClient(command, async ({ client, settings }) => {
        const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
        const found = await allOf(client.schedules.list({ namespace }));
        await printListed(found, {
          ...{ output, what: 'schedules' },
          nameOf: ({ scheduleId }) => scheduleId,
          text: (shown) => listText(shown, namespace, headers),
        });
      });
    });

const listText = (found: readonly ScheduleSummary[], namespace: string | undefined, headers: boolean) =>
  found.length > 0
    ? scheduleTable(found, headers)
    : `No schedules${namespace ? ` in namespace ${namespace}` : ''}.`;

export const scheduleGetCommand = (): Command =>
  withExamples(aboutSchedule(new Command('get')), ['schedule get nightly', 'schedule get ml/nightly -o yaml'])
    .description('show when jobs are due, what runs, and what ran last')
    .addOption(outputOption())
    .action(async (name: string, { output }: { output: Format }, command: Command) => {
      await withClient(command, async ({ client }) => {
        const schedule = await client.schedules.get(selectorOf(name));
        await print(schedule, output, () => scheduleText(schedule));
      });
    });
