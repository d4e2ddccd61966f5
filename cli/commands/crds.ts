import { Command } from 'commander';
import { type Format, formatted, outputOption, writeData } from '../print/output.ts';
import { UsageError } from '../shell/errors.ts';

const HELP = `
With them a cluster takes jobs as custom resources, which \`signalbox bridge\` runs (docs/front-door.md). Where the definitions
of the original operators are in place, keep those.

Examples:
  signalbox crds | kubectl apply -f -
  signalbox crds -o json`;

export const crdsCommand = (): Command =>
  new Command('crds')
    .description('print the CustomResourceDefinitions of the kinds of jobs')
    .argument('[kind]', 'e.g. PyTorchJob, in any case; all kinds if absent')
    .addOption(outputOption())
    .addHelpText('after', HELP)
    .action(async (kind: string | undefined, { output }: { output: Format }) => {
      const { customResourceDefinitions } = await import('../../client/manifests/offline/definitions.ts');
      const all = customResourceDefinitions();
      const isWanted = (name: string) => kind === undefined || name.toLowerCase() === kind.toLowerCase();
      const definitions = all.filter(({ spec }) => isWanted(spec.names.kind));
      if (definitions.length === 0)
        throw unknownKind(kind!, [...new Set(all.map(({ spec }) => spec.names.kind))]);
      const format = output ?? 'yaml';
      const printed =
        format === 'yaml'
          ? (await Promise.all(definitions.map((one) => formatted(one, format)))).join('\n---\n')
          : await formatted({ apiVersion: 'v1', kind: 'List', items: definitions }, format);
      writeData(printed, format);
    });

const unknownKind = (kind: string, kinds: readonly string[]) =>
  new UsageError(`There is no kind ${JSON.stringify(kind)}.`, {
    remedy: `The kinds are ${kinds.join(', ')}.`,
  });
