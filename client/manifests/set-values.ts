import { isFieldPath } from '../../contracts/parameter-sweep.ts';
import type { Fault } from '../../contracts/types.ts';
import type { ManifestEdit } from '../../frameworks/changes/edit-manifest.ts';
import { describeValue } from '../../frameworks/fields/faults.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { usedVariables, withVariable } from './variables.ts';

/**
 * What `--set NAME=VALUE` means, in a sweep and in a rerun: a plain name is an environment variable of each container that
 * uses it, a name with a dot or a bracket the path of a field.
 */

/** Returns the faults of plain names: of what is no name of a variable, and of what no container uses. */
export function faultsOfNames(manifest: unknown, names: readonly string[]): readonly Fault[] {
  const plain = names.filter((name) => !isFieldPath(name));
  const used = plain.length > 0 ? usedVariables(manifest) : [];
  return plain.flatMap((name) => {
    if (!NAME.test(name)) return [fault(name, `${A_VARIABLE}, or the path of a field`, name)];
    return used.includes(name) ? [] : [fault(name, useOf(name, used), 'a name that no container uses')];
  });
}

/** Returns the fault of a value that no variable can have. `place`: the name, and which of its values it is. */
export const faultsOfValue = (place: string, value: unknown): readonly Fault[] =>
  isScalar(value) ? [] : [fault(place, 'a text, a number, true or false', describeValue(value))];

const NAME = /^[A-Za-z_]\w*$/;
const A_VARIABLE = 'the name of a variable: letters, digits and _, no digit first';

const fault = (place: string, expected: string, got: string): Fault => ({
  path: `set.${place}`,
  expected,
  got,
});

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function useOf(name: string, used: readonly string[]): string {
  const meant = didYouMean(nearest(name, used));
  const known = used.length > 0 ? `; the manifest uses ${used.join(', ')}` : '';
  return `$(${name}) in command, args or env, or a variable ${name} in env (add one if only the program reads it)${known}${meant && ` (${meant})`}`;
}

/** A name with its value. */
type NamedValue = readonly [name: string, value: unknown];

/** Returns the manifest with the values of its variables. */
export const withVariables = (manifest: unknown, values: readonly NamedValue[]): unknown =>
  values
    .filter(([name]) => !isFieldPath(name))
    .reduce((changed, [name, value]) => withVariable(changed, name, String(value)), manifest);

/** Returns the changes of fields. */
export const editsOfFields = (values: readonly NamedValue[]): readonly ManifestEdit[] =>
  values.filter(([name]) => isFieldPath(name)).map(([path, value]) => ({ path, value }));

/** As schemas, and definitions of pods, word it. */
const TEXTS: readonly string[] = ['text', 'a string'];

/** Values of `--set PATH=VALUE` are YAML: a number is no text without quotes of its own. */
export const withQuotes = (fault: Fault): Fault =>
  TEXTS.includes(fault.expected) && /^(?:[-.\d]|true$|false$)/.test(fault.got)
    ? { ...fault, expected: `${fault.expected} (--set '${fault.path}="${fault.got}"')` }
    : fault;
