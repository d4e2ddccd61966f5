import { keysOf } from '../../language/fields.ts';
import { orMeant } from '../../language/meant.ts';
import { note } from '../print/output.ts';
import { SETTINGS, type SettingName } from '../settings/settings-table.ts';
import { SettingsError } from '../shell/errors.ts';
import { type ContextValues, configPath, readConfig } from './config-file.ts';

/** The settings of the chosen installation. */
interface ChosenContext {
  readonly name: string;
  /** What chose it: `--context`, `SIGNALBOX_CONTEXT`, or the path of the file. */
  readonly chosenBy: string;
  readonly values: Readonly<Partial<Record<SettingName, string>>>;
}

interface Choice {
  /** The value of `--context`. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The names of settings in the file, `temporal-address`, and in the code. */
export const settingNames: ReadonlyMap<string, SettingName> = new Map(
  keysOf(SETTINGS).map((name) => [inFile(name), name]),
);

export function inFile(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the context that a flag, the environment or the file chooses; undefined if none does. */
export async function chosenContext({ flag, env }: Choice): Promise<ChosenContext | undefined> {
  const file = await readConfig(env);
  const name = flag ?? (env.SIGNALBOX_CONTEXT || file?.current);
  if (!name) return undefined;
  const chosenBy =
    flag !== undefined ? '--context' : env.SIGNALBOX_CONTEXT ? 'SIGNALBOX_CONTEXT' : file!.path;
  const values = file?.contexts.get(name);
  if (!values)
    throw await unknownContext(name, chosenBy, [...(file?.contexts.keys() ?? [])], configPath(env));
  if (values['temporal-api-key'] && file?.isReadableByOthers) {
    note(`warning: ${file.path} holds an API key, and others may read it: chmod 600 ${file.path}`);
  }
  return { name, chosenBy, values: valuesByName(values, `${file?.path}: contexts.${name}`) };
}

/** Throws `SettingsError` if there is a setting of another name. */
export function valuesByName(values: ContextValues, where: string): ChosenContext['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([given, value]) => {
      const name = settingNames.get(given);
      if (name) return [name, value];
      const expected = [...settingNames.keys()].join(', ');
      throw new SettingsError(`${where}: expected one of ${expected}, got ${given}.`);
    }),
  );
}

export async function unknownContext(
  name: string,
  chosenBy: string,
  known: readonly string[],
  path: string,
): Promise<SettingsError> {
  const { nearest } = await import('../../language/did-you-mean.ts');
  const names = known.length > 0 ? `${path} has ${known.join(', ')}` : `${path} has none`;
  return new SettingsError(
    `${chosenBy}: there is no context ${name}; ${names}${orMeant(nearest(name, known))}`,
    {
      remedy: `\`signalbox context add ${name} --temporal-address HOST:PORT\` adds it. A context of the kubeconfig is chosen with --kube-context.`,
    },
  );
}
