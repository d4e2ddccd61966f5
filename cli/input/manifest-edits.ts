import { UsageError } from '../shell/errors.ts';
import { parseYaml } from './yaml-text.ts';

/** A change of a manifest as the client takes it. */
interface Edit {
  readonly path: string;
  readonly value: unknown;
}

/** Reads each `PATH=VALUE`; values are YAML. */
export async function manifestEdits(settings: readonly string[]): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const setting of settings) edits.push(await editIn(setting));
  return edits;
}

async function editIn(setting: string): Promise<Edit> {
  const at = setting.indexOf('=');
  if (at <= 0) throw invalid(setting, 'PATH=VALUE, e.g. spec.pytorchReplicaSpecs.Worker.replicas=4');
  const [value = null, ...more] = await parseYaml(setting.slice(at + 1), () => `--set ${setting}`);
  if (more.length > 0) throw invalid(setting, 'one value after the =');
  return { path: setting.slice(0, at), value };
}

const invalid = (setting: string, expected: string) =>
  new UsageError(`--set: expected ${expected}, got ${JSON.stringify(setting)}.`);

/** Collects an option that may be given again. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];
