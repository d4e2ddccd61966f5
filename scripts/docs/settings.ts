import { flagOf, type SettingEntry } from '../../cli/settings/setting-entry.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import { page, paragraph, table } from './markdown.ts';

/** Returns docs/settings.md. */
export function settingsPage(): string {
  return page({
    title: 'Settings',
    source: 'cli/settings/',
    body: [
      paragraph(
        'A flag overrides the variable of its row; then come the [context](command-line.md#contexts), a running sandbox, and the default. `signalbox config` shows each value and its source; `signalbox doctor` checks that they work. A process reports all errors when it starts.',
      ),
      table(['variable', 'flag', 'value, and its default', 'meaning'], Object.values(SETTINGS).map(asRow)),
    ],
  });
}

const asRow = ({ flag, env, expected, default: value, meaning }: SettingEntry): readonly string[] => [
  code(env),
  flag ? code(flagOf({ flag })!) : '',
  value ? `${expected} (${code(value)})` : expected,
  meaning,
];

const code = (word: string) => `\`${word}\``;
