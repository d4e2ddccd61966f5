import { Command } from 'commander';
import { withExamples } from '../help-text.ts';
import { ownVersion } from '../own-version.ts';
import { type Format, outputOption, print } from '../print/output.ts';

export const versionCommand = (): Command =>
  withExamples(new Command('version'), ['version', 'version -o json'])
    .description('print the version')
    .addOption(outputOption())
    .action(async ({ output }: { output: Format }) => {
      const version = ownVersion();
      await print({ version, node: process.versions.node }, output, () => version);
    });
