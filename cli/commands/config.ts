import { Command } from 'commander';
import { keysOf } from '../../language/fields.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { contextOf, settingsOf } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';

export const configCommand = (): Command =>
  withExamples(new Command('config'), ['config', 'config -o json'])
    .description('show each setting in force and its source')
    .addOption(outputOption())
    .action(async ({ output }: { output: Format }, command: Command) => {
      const { values, origins } = await settingsOf(command);
      const { SETTINGS } = await import('../settings/settings-table.ts');
      const { shownSetting } = await import('../settings/settings.ts');
      const { unknownVariables } = await import('../settings/unknown-variables.ts');
      for (const one of unknownVariables(process.env)) note(`warning: nothing reads ${one}`);
      const names = keysOf(SETTINGS);
      const context = await contextOf(command.optsWithGlobals<{ context?: string }>().context);
      const ofContext = {
        name: 'context',
        value: context?.name ?? null,
        origin: context?.chosenBy ?? null,
        variable: 'SIGNALBOX_CONTEXT',
      };
      const ofNames = names.map((name) => ({
        name,
        value: values[name] === undefined ? null : shownSetting(name, values[name]),
        origin: origins[name] ?? null,
        variable: SETTINGS[name].env,
      }));
      const settings = [ofContext, ...ofNames];
      await print(settings, output, () =>
        formatTable(
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
