import { Command } from 'commander';
import type { ListedSweep } from '../../client/use-cases/parameter-sweep/list-sweeps.ts';
import { wholeNumber } from '../input/parse.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import {
  type Format,
  headingsOption,
  note,
  outputOption,
  print,
  type TableFormat,
  writeData,
} from '../print/output.ts';
import { sweepTable } from '../print/sweep-text.ts';
import { withClient } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';

interface ListFlags {
  readonly allNamespaces?: boolean;
  readonly limit: number;
  readonly headers: boolean;
  readonly output: TableFormat;
}

/** `signalbox sweep list`: needs no worker. */
export const sweepListCommand = (): Command =>
  withExamples(new Command('list'), ['sweep list', 'sweep list -A -o json'])
    .description('list sweeps: live ones first, then ended ones, each newest first')
    .addOption(allNamespacesOption())
    .option('--limit <number>', 'show at most this many', wholeNumber, 100)
    .addOption(headingsOption())
    .addOption(outputOption('name'))
    .action(async ({ allNamespaces, limit, headers, output }: ListFlags, command: Command) => {
      await withClient(command, async ({ client, settings }) => {
        const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
        const found: ListedSweep[] = [];
        // One more, to know whether there are more.
        for await (const sweep of client.sweeps({ namespace, limit: limit + 1 })) found.push(sweep);
        const shown = found.slice(0, limit);
        if (output === 'name') for (const { workflowId } of shown) writeData(workflowId, 'text');
        else await print(shown, output as Format, () => listText(shown, namespace, headers));
        if (found.length > limit) note(`There are more than ${limit} sweeps; raise --limit to see them.`);
      });
    });

const listText = (found: readonly ListedSweep[], namespace: string | undefined, headers: boolean) =>
  found.length > 0
    ? sweepTable(found, headers)
    : `No sweeps${namespace ? ` in namespace ${namespace}` : ''}.`;
