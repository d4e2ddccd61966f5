import { Command } from 'commander';
import type { ListedSweep } from '../../client/use-cases/parameter-sweep/list-sweeps.ts';
import { allOf } from '../../language/all-of.ts';
import { wholeNumber } from '../input/parse.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import { printListed } from '../print/listed.ts';
import { headingsOption, outputOption, type TableFormat } from '../print/output.ts';
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
        const found = await allOf(client.sweeps({ namespace, limit: limit + 1 }));
        await printListed(found, {
          ...{ output, limit, what: 'sweeps' },
          nameOf: ({ workflowId }) => workflowId,
          text: (shown) => listText(shown, namespace, headers),
        });
      });
    });

const listText = (found: readonly ListedSweep[], namespace: string | undefined, headers: boolean) =>
  found.length > 0
    ? sweepTable(found, headers)
    : `No sweeps${namespace ? ` in namespace ${namespace}` : ''}.`;
