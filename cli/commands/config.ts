import { Command } from 'commander';
import { settingsOf } from '../context.ts';
import { type Format, outputOption, print } from '../output.ts';
import { table } from '../table.ts';

export const configCommand = (): Command =>
  new Command('config')
    .description('show the settings in force and where each comes from')
    .addOption(outputOption())
    .action(async ({ output }: { output: Format }, command: Command) => {
      const { values, origins } = await settingsOf(command);
      const { SETTINGS } = await import('../settings-table.ts');
      const { shown } = await import('../settings.ts');
      const names = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
      const settings = names.map((name) => ({
        name,
        value: values[name] === undefined ? null : shown(name, values[name]),
        origin: origins[name] ?? null,
        variable: SETTINGS[name].env[0],
      }));
      await print(settings, output, () =>
        table(
          ['SETTING', 'VALUE', 'FROM', 'VARIABLE'],
          settings.map(({ name, value, origin, variable }) => [
            name,
            String(value ?? ''),
            origin ?? '',
            variable,
          ]),
        ),
      );
    });
