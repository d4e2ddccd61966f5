import { Command } from 'commander';
import { type Format, outputOption, print } from '../print/output.ts';
import { withExamples } from '../shell/help-text.ts';
import { ownVersion } from '../shell/own-version.ts';

export const versionCommand = (): Command =>
  withExamples(new Command('version'), ['version', 'version -o json'])
    .description('print the version')
    .addOption(outputOption())
    .action(async ({ output }: { output: Format }) => {
      const version = ownVersion();
      await print({ version, node: process.versions.node }, output, () => version);
    });
