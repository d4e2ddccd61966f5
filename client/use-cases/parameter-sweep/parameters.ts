import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import { formatSteps, pathSteps } from '../../../contracts/manifest-path.ts';
import { isFieldPath, type ParameterValues } from '../../../contracts/parameter-sweep.ts';
import type { Fault } from '../../../contracts/types.ts';
import { describeValue } from '../../../frameworks/fields/faults.ts';
import { asFields } from '../../../language/fields.ts';
import { faultsOfNames, faultsOfValue } from '../../manifests/set-values.ts';

/** Returns the faults of parameters that no combination of their values can mend. */
export function faultsOfParameters(manifest: unknown, set: ParameterValues): readonly Fault[] {
  const ofNames = faultsOfNames(manifest, Object.keys(set));
  const ofValues = Object.entries(set)
    .filter(([name]) => !isFieldPath(name) && !ofNames.some(({ path }) => path === `set.${name}`))
    .flatMap(([name, values]) => values.flatMap((value, index) => faultsOfValue(`${name}[${index}]`, value)));
  const ofFixed = Object.entries(set).flatMap(([path, values]) => faultsOfFixed(path, values));
  return [...ofFixed, ...ofNames, ...ofValues];
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
