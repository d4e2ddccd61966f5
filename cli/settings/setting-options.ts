import { type Command, Option } from 'commander';
import type { SettingEntry } from './setting-entry.ts';
import { SETTINGS, type SettingName } from './settings-table.ts';

/** Adds the options of settings to a command. */
export function settingOptions(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(settingOption(SETTINGS[name]));
  return command;
}

function settingOption({ flag, env, meaning, choices }: SettingEntry): Option {
  const option = new Option(flag!, `${inHelp(meaning)} (${env})`);
  return choices ? option.choices(choices) : option;
}

/** Without Markdown, and without which processes read the setting: the command with the option does. */
const inHelp = (meaning: string) =>
  meaning.replace(/^(worker|worker and readers|worker, watcher, bridge): /, '').replaceAll('`', '');
