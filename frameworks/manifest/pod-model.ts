import type { Fault } from '../../contracts/faults.ts';
import { formatSteps } from '../../contracts/manifest-path.ts';
import { isFields } from '../../language/fields.ts';
import { didYouMean, nearest } from '../fields/did-you-mean.ts';
import { describeValue } from '../fields/faults.ts';

/** The types of Kubernetes, as its client library describes them: by the name of each class. */
type KubernetesModels = Readonly<Record<string, unknown>>;

interface ModelClass {
  getAttributeTypeMap(): readonly { readonly baseName: string; readonly type: string }[];
}

const TEMPLATE = 'V1PodTemplateSpec';

/**
 * Checks changed values below the pod templates of a manifest against the types of Kubernetes: a manifest may have any
 * field there, and the API server refuses it only when pods are created. Other paths have no faults here.
 */
export function checkPodPaths(
  manifest: unknown,
  changed: readonly (readonly string[])[],
  models: KubernetesModels,
): Fault[] {
  return changed.flatMap((steps) => {
    const at = steps.indexOf('template');
    return at < 0 ? [] : checkSteps({ type: TEMPLATE, manifest, models }, steps, at + 1);
  });
}

interface Place {
  readonly type: string;
  readonly manifest: unknown;
  readonly models: KubernetesModels;
}

/** Follows the path to its end, and checks the whole value there. */
function checkSteps(place: Place, steps: readonly string[], from: number): Fault[] {
  let { type } = place;
  for (let index = from; index < steps.length; index++) {
    const step = steps[index]!;
    const inner = innerType(type, step, place.models);
    if (inner === undefined) return [unknownField(place, { steps: steps.slice(0, index + 1), type })];
    type = inner;
  }
  return checkValue({ ...place, type }, steps, valueAtSteps(place.manifest, steps));
}

function checkValue(place: Place, steps: readonly string[], value: unknown): Fault[] {
  const { type, models } = place;
  if (value === undefined || value === null || type === 'any') return [];
  const expected = explainType(type, value, models);
  if (expected) return [{ path: formatSteps(steps), expected, got: describeValue(value) }];
  const inner: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [String(index), item])
    : Object.entries(isFields(value) ? value : {});
  return inner.flatMap(([step, item]) => {
    const of = innerType(type, step, models);
    const there = [...steps, step];
    return of === undefined
      ? [unknownField(place, { steps: there, type })]
      : checkValue({ ...place, type: of }, there, item);
  });
}

/** Returns the type of a field or an item; undefined if the type has none of that name. */
function innerType(type: string, step: string, models: KubernetesModels): string | undefined {
  if (type === 'any') return 'any';
  const [, item] = /^Array<(.+)>$/.exec(type) ?? [];
  if (item) return /^\d+$/.test(step) ? item : undefined;
  const [, value] = /^\{ \[key: string\]: (.+); \}$/.exec(type) ?? [];
  if (value) return value;
  const found = attributesOf(type, models)?.find(({ baseName }) => baseName === step)?.type;
  return found && QUANTITIES.has(step) ? 'any' : found;
}

/** Text or numbers; the manifest's own schema checks them. */
const QUANTITIES: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead']);

const attributesOf = (type: string, models: KubernetesModels) =>
  isModel(models[type]) ? models[type].getAttributeTypeMap() : undefined;

const isModel = (value: unknown): value is ModelClass =>
  typeof (value as Partial<ModelClass> | undefined)?.getAttributeTypeMap === 'function';

/** Returns what was expected, if a value is not of a type. */
function explainType(type: string, value: unknown, models: KubernetesModels): string | undefined {
  if (type.startsWith('Array<')) return Array.isArray(value) ? undefined : 'a list';
  if (type.startsWith('{')) return isFields(value) ? undefined : 'an object';
  if (attributesOf(type, models)) return isFields(value) ? undefined : 'an object';
  const [expected, fits] = SCALARS[type] ?? [];
  return fits?.(value) === false ? expected : undefined;
}

type Scalar = readonly [expected: string, fits: (value: unknown) => boolean];

const SCALARS: Readonly<Record<string, Scalar>> = {
  string: ['text', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
};

function unknownField({ models }: Place, { steps, type }: { steps: readonly string[]; type: string }): Fault {
  const known = attributesOf(type, models)?.map(({ baseName }) => baseName) ?? [];
  const meant = didYouMean(nearest(steps.at(-1)!, known));
  const expected = `a field that Kubernetes has there${meant && ` (${meant})`}`;
  return { path: formatSteps(steps), expected, got: describeValue(steps.at(-1)) };
}

const valueAtSteps = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (inner, step) => (inner as Readonly<Record<string, unknown>> | undefined)?.[step],
    value,
  );
