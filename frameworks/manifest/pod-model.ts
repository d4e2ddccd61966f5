import { formatSteps } from '../../contracts/manifest-path.ts';
import type { Fault } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';
import { describeValue } from '../fields/faults.ts';
import { fieldTypesOf, isObjectType, itemTypeOf, valueTypeOf } from '../fields/pod-field-types.ts';

/**
 * Checks the types of changed values below the pod templates of a manifest: a manifest may have any value there, and the
 * API server refuses it only when pods are created. Unknown fields and other paths have no faults here.
 */
export function checkPodPaths(manifest: unknown, changed: readonly (readonly string[])[]): Fault[] {
  return changed.flatMap((steps) => {
    const at = steps.indexOf('template');
    if (at < 0) return [];
    const type = steps.slice(at + 1).reduce(innerType, 'PodTemplateSpec');
    return checkValue(type, steps, valueAtSteps(manifest, steps));
  });
}

function checkValue(type: string, steps: readonly string[], value: unknown): Fault[] {
  if (value === undefined || value === null) return [];
  const expected = explainType(type, value);
  if (expected) return [{ path: formatSteps(steps), expected, got: describeValue(value) }];
  const inner: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [String(index), item])
    : Object.entries(isFields(value) ? value : {});
  return inner.flatMap(([step, item]) => checkValue(innerType(type, step), [...steps, step], item));
}

/** Returns the type of a field or an item; `any` if the type has none of that name. */
const innerType = (type: string, step: string): string =>
  itemTypeOf(type) ?? valueTypeOf(type) ?? fieldTypesOf(type).get(step) ?? 'any';

/** Returns what was expected, if a value is not of a type. */
function explainType(type: string, value: unknown): string | undefined {
  if (itemTypeOf(type)) return Array.isArray(value) ? undefined : 'a list';
  if (valueTypeOf(type) || isObjectType(type)) return isFields(value) ? undefined : 'an object';
  const [expected, fits] = SCALARS[type] ?? [];
  return fits?.(value) === false ? expected : undefined;
}

type Scalar = readonly [expected: string, fits: (value: unknown) => boolean];

const SCALARS: Readonly<Record<string, Scalar>> = {
  string: ['text', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
};

const valueAtSteps = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (inner, step) => (inner as Readonly<Record<string, unknown>> | undefined)?.[step],
    value,
  );
