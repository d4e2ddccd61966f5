import { isFields } from '../../language/fields.ts';
import { ManifestFileError, UsageError } from '../shell/errors.ts';
import { readDocuments } from './documents.ts';
import { parseYaml } from './yaml-text.ts';

/** Part of a policy document. */
type Change = Readonly<Record<string, unknown>>;

/** Reads a file with one document; `-` is standard input. */
export async function policyFile(path: string): Promise<Change> {
  const documents = await readDocuments(path);
  const { file, value } = documents[0]!;
  if (documents.length > 1) {
    throw new ManifestFileError(`${file}: expected one document, got ${documents.length}.`);
  }
  if (isFields(value)) return value;
  throw new ManifestFileError(`${file}: expected a part of a policy, got ${JSON.stringify(value)}.`);
}

/** Merges several `PATH=VALUE` into one change. */
export async function policyChange(settings: readonly string[]): Promise<Change> {
  let change: Change = {};
  for (const setting of settings) {
    const [path, text] = halves(setting);
    change = withValue(change, keysOf(path, setting), await valueIn(text, setting));
  }
  return change;
}

function halves(setting: string): [path: string, text: string] {
  const at = setting.indexOf('=');
  if (at < 0) throw invalidChange(setting, 'PATH=VALUE, e.g. failures.classes.userCode.budget=5');
  return [setting.slice(0, at), setting.slice(at + 1)];
}

function keysOf(path: string, setting: string): string[] {
  const keys = path.split('.');
  if (keys.includes('')) throw invalidChange(setting, 'names separated by dots before the =');
  return keys;
}

async function valueIn(text: string, setting: string): Promise<unknown> {
  const [value = null, ...more] = await parseYaml(text, () => `--set ${setting}`);
  if (more.length > 0) throw invalidChange(setting, 'one value after the =');
  return value;
}

function withValue(change: Change, [key = '', ...below]: readonly string[], value: unknown): Change {
  if (below.length === 0) return { ...change, [key]: value };
  const inside = change[key];
  return { ...change, [key]: withValue(isFields(inside) ? inside : {}, below, value) };
}

const invalidChange = (setting: string, expected: string) =>
  new UsageError(`--set: expected ${expected}, got ${JSON.stringify(setting)}.`);
