import { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ExactFilter } from '../../contracts/filters.ts';
import { filterOptions, filtersGiven } from '../input/filter-options.ts';
import { wholeNumber } from '../input/parse.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import type { TopScope } from '../top/run-top.ts';

interface TopFlags {
  readonly allNamespaces?: boolean;
  readonly limit: number;
  readonly output: Format;
}

const EXAMPLES = [
  'top',
  'top -A --phase pending,starting,restarting',
  'top -n ml -l team=nlp',
  'top -A -o json',
  'top -A | head -2',
];

const HELP = `Keys: arrows or j k move, Enter shows a job, w why it waits, l follows its log, s stops it (asks why), / filters,
o and O sort, r reverses, ? shows all keys, q quits. Without a terminal, or with -o, it prints once.`;

export const topCommand = (): Command =>
  filterOptions(
    withExamples(new Command('top'), EXAMPLES, HELP)
      .description('watch jobs live: phases, GPUs, what they wait for, progress, failures')
      .addOption(allNamespacesOption()),
  )
    .option('--limit <number>', 'list at most this many', wholeNumber, 500)
    .addOption(outputOption())
    .action(async (flags: TopFlags, command: Command) => {
      const chosen = await filtersGiven(command);
      await withClient(command, async (session) => {
        const namespace = flags.allNamespaces ? undefined : (session.settings.namespace ?? 'default');
        const scope = { filter: { ...chosen, namespace }, limit: flags.limit };
        const isLive = flags.output === undefined && process.stdout.isTTY && process.stdin.isTTY;
        if (!isLive) return printOnce(session.client, scope, flags.output);
        const [{ runTop }, { Terminal }] = await Promise.all([
          import('../top/run-top.ts'),
          import('../top/terminal.ts'),
        ]);
        exitWith(await runTop(session, scope, new Terminal(process.stdin, process.stdout)));
      });
    });

async function printOnce(
  client: SignalboxClient,
  scope: TopScope & { readonly filter: ExactFilter },
  format: Format,
): Promise<void> {
  const { readOnce, onceText } = await import('../top/once.ts');
  const once = await readOnce(client, scope);
  await print(once, format, () => onceText(once, scope.filter.namespace === undefined));
}
