import { isFieldPath, type ParameterValues } from '../../contracts/parameter-sweep.ts';
import { errorMessage } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { UsageError } from '../shell/errors.ts';
import { isRange, valuesOfRange } from './value-range.ts';

/** Reads each `NAME=VALUES`: values as in a YAML list, with commas between, and ranges of numbers such as `1..100`. */
export async function parameterValues(settings: readonly string[]): Promise<ParameterValues> {
  const set: Record<string, readonly unknown[]> = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at <= 0) throw invalid(setting, 'NAME=VALUES, e.g. lr=0.1,0.01 or seed=1..100');
    const name = setting.slice(0, at);
    if (Object.hasOwn(set, name))
      throw invalid(setting, `the values of ${name} in one --set, separated by commas`);
    const listed = await listIn(setting, setting.slice(at + 1), isFieldPath(name));
    const values = listed.flatMap((value) => inRange(setting, value));
    if (values.length === 0) throw invalid(setting, 'at least one value after the =');
    set[name] = values;
  }
  return set;
}

/** The value of a variable is the text as it is written, e.g. 1e-3 or 0.10; a field may be of any type. */
async function listIn(setting: string, text: string, isField: boolean): Promise<readonly unknown[]> {
  const { parse } = await import('yaml');
  try {
    const list: unknown = parse(`[${text}]`, isField ? YAML_AS_KUBECTL : { schema: 'failsafe' });
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw invalid(
      setting,
      `values separated by commas, in quotes if they have special characters (${firstLine(error)})`,
    );
  }
  throw invalid(setting, 'values separated by commas');
}

const firstLine = (error: unknown) => errorMessage(error).split('\n')[0]!.replace(/[:.]$/, '');

function inRange(setting: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'string' || !isRange(value)) return [value];
  const values = valuesOfRange(value);
  if ('expected' in values) throw invalid(setting, values.expected);
  return values;
}

const invalid = (setting: string, expected: string) =>
  new UsageError(`--set: expected ${expected}, got ${JSON.stringify(setting)}.`);
