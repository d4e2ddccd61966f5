import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import { formatSteps, pathSteps } from '../../../contracts/manifest-path.ts';
import { isFieldPath, type ParameterValues } from '../../../contracts/parameter-sweep.ts';
import type { Fault } from '../../../contracts/types.ts';
import type { ManifestEdit } from '../../../frameworks/changes/edit-manifest.ts';
import { describeValue } from '../../../frameworks/fields/faults.ts';
import { didYouMean, nearest } from '../../../language/did-you-mean.ts';
import { asFields } from '../../../language/fields.ts';
import { usedVariables, withVariable } from './variables.ts';

/** Returns the faults of parameters that no combination of their values can mend. */
export function faultsOfParameters(manifest: unknown, set: ParameterValues): readonly Fault[] {
  const names = Object.keys(set).filter((name) => !isFieldPath(name));
  const used = usedVariables(manifest);
  const ofVariables = names.flatMap((name) => {
    if (!NAME.test(name)) return [fault(name, `${A_VARIABLE}, or the path of a field`, name)];
    if (!used.includes(name)) return [fault(name, useOf(name, used), 'a name that no container uses')];
    return set[name]!.flatMap((value, index) =>
      isScalar(value)
        ? []
        : [fault(`${name}[${index}]`, 'a text, a number, true or false', describeValue(value))],
    );
  });
  return [...Object.entries(set).flatMap(([path, values]) => faultsOfFixed(path, values)), ...ofVariables];
}

/** What the sweep decides or writes itself, by path. */
const FIXED: readonly (readonly [path: readonly string[], expected: string])[] = [
  [['metadata', 'namespace'], 'the namespace of the sweep, in which all its trials run'],
  [['metadata', 'generateName'], 'a name for the sweep, from which its trials have theirs'],
  [['metadata', 'labels', LABELS.sweep], 'a label of your own: the sweep writes this one'],
  [
    ['metadata', 'annotations', ANNOTATIONS.parameters],
    'an annotation of your own: the sweep writes this one',
  ],
];

/** A value may be a mapping that has what is fixed. */
function faultsOfFixed(path: string, values: readonly unknown[]): readonly Fault[] {
  const steps = isFieldPath(path) ? pathSteps(path) : undefined;
  if (!steps) return [];
  return FIXED.flatMap(([fixed, expected]) => {
    if (!steps.every((step, index) => step === fixed[index])) return [];
    const value = values.find((one) => valueBelow(one, fixed.slice(steps.length)) !== undefined);
    return value === undefined ? [] : [{ path: formatSteps(fixed), expected, got: describeValue(value) }];
  });
}

const valueBelow = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((found, step) => asFields(found)[step], value);

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
  return `$(${name}) in command, args or env, or a variable ${name} in env${known}${meant && ` (${meant})`}`;
}

/** Returns the manifest with the values of its variables. */
export const withVariables = (manifest: unknown, values: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(values)
    .filter(([name]) => !isFieldPath(name))
    .reduce((changed, [name, value]) => withVariable(changed, name, String(value)), manifest);

/** Returns the changes of fields. */
export const editsOf = (values: Readonly<Record<string, unknown>>): readonly ManifestEdit[] =>
  Object.entries(values)
    .filter(([name]) => isFieldPath(name))
    .map(([path, value]) => ({ path, value }));
