import { Command } from 'commander';
import { type Format, formatted, outputOption, print, writeData } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { UsageError } from '../shell/errors.ts';

const HELP = `
With a name, e.g. PyTorchJob, prints its schema; without, lists the names. Editors read the files of schemas/
(docs/manifests.md#json-schemas). The schemas of manifests refuse unknown fields of jobs as validate does.

Examples:
  signalbox schema
  signalbox schema PyTorchJob > pytorchjob.json
  signalbox schema policy -o yaml`;

export const schemaCommand = (): Command =>
  new Command('schema')
    .description('print the JSON Schema of a kind of job, a policy, a status or a request')
    .argument('[kind]', 'e.g. PyTorchJob, policy, status or stop-request, in any case')
    .addOption(outputOption())
    .addHelpText('after', HELP)
    .action(async (kind: string | undefined, { output }: { output: Format }) => {
      const { findSchema, listSchemas, nearestSchema } = await import(
        '../../client/manifests/offline/schemas.ts'
      );
      if (kind === undefined) return print(listSchemas(), output, () => tableOf(listSchemas()));
      const schema = findSchema(kind);
      if (!schema) throw unknownSchema(kind, nearestSchema(kind));
      const format = output ?? 'json';
      writeData(await formatted(schema, format), format);
    });

const tableOf = (schemas: readonly { readonly name: string; readonly description: string }[]) =>
  formatTable(
    ['NAME', 'WHAT IT DESCRIBES'],
    schemas.map(({ name, description }) => [name, description]),
  );

function unknownSchema(kind: string, meant: string | undefined): UsageError {
  const hint = meant ? `; did you mean ${meant}?` : '.';
  return new UsageError(`There is no schema ${JSON.stringify(kind)}${hint}`, {
    remedy: 'List all: signalbox schema',
  });
}
