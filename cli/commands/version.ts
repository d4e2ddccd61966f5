import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type Format, outputOption, print } from '../print/output.ts';

export const versionCommand = (): Command =>
  new Command('version')
    .description('print the version')
    .addOption(outputOption())
    .action(async ({ output }: { output: Format }) => {
      const version = ownVersion();
      await print({ version, node: process.versions.node }, output, () => version);
    });

export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
