import { resolve } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { Argument, Command } from 'commander';
import { inFile, settingNames, unknownContext, valuesByName } from '../contexts/chosen-context.ts';
import {
  type ConfigFile,
  type ContextValues,
  changeConfig,
  configPath,
  readConfig,
} from '../contexts/config-file.ts';
import { archiveOptions, evidenceOptions } from '../input/job-options.ts';
import { type FormatOrName, headingsOption, note, outputOption, print, write } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { flagValue, type SettingEntry } from '../settings/setting-entry.ts';
import { checkedSettings, shownSetting } from '../settings/settings.ts';
import { SETTINGS, type SettingName } from '../settings/settings-table.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

/** `signalbox context`: settings of several installations, by name. */
export function contextCommand(): Command {
  const command = new Command('context').description(
    'name the settings of several installations, and choose one',
  );
  for (const create of [listContexts, useContext, addContext, removeContext, showContext])
    command.addCommand(create());
  return command;
}

const listContexts = (): Command =>
  withExamples(new Command('list'), ['context list', 'context list -o name'])
    .description('list the contexts; * marks the current one')
    .addOption(headingsOption())
    .addOption(outputOption('name'))
    .action(async ({ headers, output }: { headers: boolean; output: FormatOrName }) => {
      const { current, contexts } = await configuration();
      const names = [...contexts.keys()];
      if (output === 'name') return names.forEach(write);
      const data = names.map((name) => ({
        name,
        current: name === current,
        settings: visible(contexts.get(name)!),
      }));
      await print(data, output, async () => {
        if (names.length === 0)
          return 'No contexts. `signalbox context add NAME --temporal-address HOST:PORT` adds one.';
        const rows = data.map(({ name, settings, ...context }) => [
          context.current ? '*' : '',
          name,
          ...LISTED.map((setting) => settings[setting] ?? ''),
        ]);
        return formatTable(
          headers ? ['', 'NAME', 'TEMPORAL', 'TEMPORAL NAMESPACE', 'NAMESPACE', 'KUBE CONTEXT'] : undefined,
          rows,
        );
      });
    });

const LISTED = ['temporal-address', 'temporal-namespace', 'namespace', 'kube-context'] as const;

const useContext = (): Command =>
  withExamples(new Command('use'), ['context use prod', 'context use --none'])
    .description('choose the context of later commands; --context and SIGNALBOX_CONTEXT win over it')
    .addArgument(completedBy('contexts', new Argument('[name]', 'the name of a context')))
    .option('--none', 'no context: the environment, a running sandbox or defaults')
    .action(async (name: string | undefined, { none }: { none?: boolean }) => {
      if ((name === undefined) !== Boolean(none)) throw new UsageError('Expected a NAME or --none.');
      if (name !== undefined) await existing(name);
      await changeConfig(process.env, (document) => {
        if (name === undefined) document.deleteIn(['current-context']);
        else document.setIn(['current-context'], name);
      });
      write(name === undefined ? 'no context is current' : `${name} is the current context`);
    });

interface AddFlags {
  readonly set?: readonly string[];
  readonly apiKeyStdin?: boolean;
  readonly replace?: boolean;
}

const addContext = (): Command =>
  withExamples(
    archiveOptions(evidenceOptions(new Command('add'))),
    [
      'context add prod --temporal-address temporal.example.com:7233 --temporal-namespace ml --kube-context prod -n ml',
      'context add cloud --temporal-address eu.tmprl.cloud:7233 --api-key-stdin < key.txt',
      'context add lab --set temporal-tls=true --set cluster-id=lab --replace',
    ],
    'Sets what is given: global options, the options above, and any other setting by --set.',
  )
    .description('add a context; the first one becomes the current one')
    .argument('<name>', 'letters, digits, dots, dashes and underscores')
    .option(
      '--set <setting=value>',
      'any setting of `signalbox config`, e.g. temporal-tls-ca=FILE; repeatable',
      collect,
    )
    .option('--api-key-stdin', 'read the API key of Temporal from standard input')
    .option('--replace', 'replace a context of this name')
    .action(async (name: string, flags: AddFlags, command: Command) => {
      if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(name))
        throw new UsageError(
          `Expected a name of letters, digits, dots, dashes and underscores, got ${name}.`,
        );
      const { contexts, current } = await configuration();
      if (contexts.has(name) && !flags.replace)
        throw new UsageError(`Context ${name} already exists.`, { remedy: '--replace replaces it.' });
      const values = await givenValues(flags, command);
      checkedSettings(valuesByName(values, name), `context ${name}`);
      const becomesCurrent = current === undefined && contexts.size === 0;
      await changeConfig(process.env, (document) => {
        document.setIn(['contexts', name], document.createNode(values));
        if (becomesCurrent) document.setIn(['current-context'], name);
      });
      note(`context ${name} is in ${configPath(process.env)}`);
      if (becomesCurrent)
        note('it is the first, so commands use it from now on; `signalbox context use --none` ends that');
    });

const removeContext = (): Command =>
  withExamples(new Command('remove'), ['context remove lab'])
    .description('remove a context')
    .addArgument(completedBy('contexts', new Argument('<name>', 'the name of a context')))
    .action(async (name: string) => {
      const { current } = await existing(name);
      await changeConfig(process.env, (document) => {
        document.deleteIn(['contexts', name]);
        if (current === name) document.deleteIn(['current-context']);
      });
      write(`context ${name} removed${current === name ? '; no context is current' : ''}`);
    });

const showContext = (): Command =>
  withExamples(new Command('show'), ['context show', 'context show prod -o yaml'])
    .description('show the settings of a context, without secrets')
    .addArgument(
      completedBy('contexts', new Argument('[name]', 'the name of a context; default: the current one')),
    )
    .addOption(outputOption())
    .action(
      async (
        given: string | undefined,
        { output }: { output: 'json' | 'yaml' | undefined },
        command: Command,
      ) => {
        const { current } = await configuration();
        const { context } = command.optsWithGlobals<{ context?: string }>();
        const name = given ?? context ?? (process.env.SIGNALBOX_CONTEXT || current);
        if (name === undefined) throw new UsageError('No current context. Pass NAME.');
        const settings = visible((await existing(name)).contexts.get(name)!);
        await print({ name, settings }, output, () =>
          formatTable(['SETTING', 'VALUE'], Object.entries(settings)),
        );
      },
    );

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

const configuration = async (): Promise<Pick<ConfigFile, 'current' | 'contexts'>> =>
  (await readConfig(process.env)) ?? { current: undefined, contexts: new Map() };

async function existing(name: string): Promise<Pick<ConfigFile, 'current' | 'contexts'>> {
  const found = await configuration();
  if (found.contexts.has(name)) return found;
  throw await unknownContext(name, 'context', [...found.contexts.keys()], configPath(process.env));
}

/** A file of another folder must be found from everywhere. */
const PATHS: ReadonlySet<string> = new Set<SettingName>([
  'kubeconfig',
  'evidenceDir',
  'archiveDir',
  'dataConverter',
  'temporalTlsCa',
  'temporalTlsCert',
  'temporalTlsKey',
]);

async function givenValues({ set = [], apiKeyStdin }: AddFlags, command: Command): Promise<ContextValues> {
  const values: Record<string, string> = { ...optionValues(command), ...setValues(set) };
  if (apiKeyStdin) values[inFile('temporalApiKey')] = (await streamText(process.stdin)).trim();
  for (const [given, value] of Object.entries(values))
    if (PATHS.has(settingNames.get(given) ?? '')) values[given] = resolve(value);
  if (Object.keys(values).length > 0) return values;
  throw new UsageError('No setting given. Expected e.g. --temporal-address HOST:PORT.');
}

function optionValues(command: Command): ContextValues {
  const flags = command.optsWithGlobals<Record<string, unknown>>();
  const given = [...settingNames].flatMap(([inFileName, name]) => {
    const value = flagValue(SETTINGS[name] as SettingEntry, flags);
    return value === undefined ? [] : [[inFileName, String(value)]];
  });
  return Object.fromEntries(given) as ContextValues;
}

function setValues(set: readonly string[]): ContextValues {
  const pairs = set.map((one) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
    if (!name) throw new UsageError(`--set: expected SETTING=VALUE, got ${JSON.stringify(one)}.`);
    if (!isSecret(name)) return [name, value];
    throw new UsageError(`--set ${name}: secrets on a command line are visible to other users.`, {
      remedy: 'Use --api-key-stdin.',
    });
  });
  return Object.fromEntries(pairs) as ContextValues;
}

function isSecret(given: string): boolean {
  const name = settingNames.get(given);
  return name !== undefined && (SETTINGS[name] as SettingEntry).secret === true;
}

/** Without secrets. */
const visible = (values: ContextValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([given, value]) => {
      const name = settingNames.get(given);
      return [given, name ? String(shownSetting(name, value)) : value];
    }),
  );
