import { Option } from 'commander';
import { isFieldPath } from '../../contracts/parameter-sweep.ts';
import { UsageError } from '../shell/errors.ts';
import { parseYaml } from './yaml-text.ts';

/** A change of a manifest as the client takes it. */
interface Edit {
  readonly path: string;
  readonly value: unknown;
}

/** Reads each `PATH=VALUE`, whose values are YAML, and each `NAME=VALUE` of a variable, whose value is the text as it is written. */
export async function manifestEdits(settings: readonly string[]): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const setting of settings) edits.push(await editIn(setting));
  return edits;
}

async function editIn(setting: string): Promise<Edit> {
  const at = setting.indexOf('=');
  if (at <= 0)
    throw invalid(setting, 'NAME=VALUE or PATH=VALUE, e.g. lr=0.1 or spec.runPolicy.backoffLimit=4');
  const path = setting.slice(0, at);
  if (!isFieldPath(path)) return { path, value: setting.slice(at + 1) };
  const [value = null, ...more] = await parseYaml(setting.slice(at + 1), () => `--set ${setting}`);
  if (more.length > 0) throw invalid(setting, 'one value after the =');
  return { path, value };
}

const invalid = (setting: string, expected: string, option = '--set') =>
  new UsageError(`${option}: expected ${expected}, got ${JSON.stringify(setting)}.`);

/** Reads each `NAME=VALUE` of `--env`; the value is the text as it is written. */
export function environmentIn(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at <= 0) throw invalid(setting, 'NAME=VALUE, e.g. NCCL_DEBUG=INFO', '--env');
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );
}

/** `--env`, of commands that make manifests of another one. */
export const environmentOption = (): Option =>
  new Option('--env <name=value>', 'set a variable in every container; repeatable').argParser(collected);

/** Collects an option that may be given again. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];
