import { z } from 'zod';
import type { Fault } from '../../contracts/faults.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { type Framework, rolePath } from '../framework.ts';
import { didYouMean, nearest } from './did-you-mean.ts';
import { describe } from './faults.ts';

/** A field of the job that nobody reads. */
export interface UnknownField {
  readonly path: string;
  /** What was probably meant: a name at the same place, or the path of the field that has this name. */
  readonly nearest: string | undefined;
  /** Its value, as faults show it. */
  readonly got: string;
}

export const formatUnknown = (field: UnknownField) =>
  `${field.path}: unknown field, ignored${field.nearest ? `; ${didYouMean(field.nearest)}` : ''}`;

export const faultOfUnknown = ({ path, nearest: meant, got }: UnknownField): Fault => ({
  path,
  expected: `a known field${meant ? ` (${didYouMean(meant)})` : ''}`,
  got,
});

/** Of a value that one schema describes whole; `root` is where a manifest has it. */
export function unknownFieldsOfSchema(schema: z.ZodObject, value: unknown, root: string): UnknownField[] {
  const places = placesOfSchema('', schema, value);
  return places
    .flatMap((place) => unknownIn(place, places))
    .map((field) => ({ ...field, path: `${root}.${field.path}` }));
}

/** Of a whole manifest, whether it is valid or not. What is inside of pod templates is the API server's to judge. */
export function unknownFields(framework: Framework, manifest: unknown): UnknownField[] {
  const places = placesOf(framework, manifest);
  const ofJob = places.filter(({ path }) => path.startsWith('spec'));
  return [...places.flatMap((place) => unknownIn(place, ofJob)), ...unknownAnnotations(manifest)];
}

/** Of those that are signalbox's to read; others are other programs' business. */
function unknownAnnotations(manifest: unknown): UnknownField[] {
  const annotations = valueAt(manifest, 'metadata.annotations');
  return Object.entries(isFields(annotations) ? annotations : {})
    .filter(([name]) => name.startsWith(OWN_PREFIX) && !KNOWN_ANNOTATIONS.has(name))
    .map(([name, value]) => ({
      path: `metadata.annotations[${name}]`,
      nearest: withPrefix(nearest(name.slice(OWN_PREFIX.length), READ_ANNOTATIONS)),
      got: describe(value),
    }));
}

const OWN_PREFIX = 'signalbox.dev/';
/** In a manifest, without the prefix. */
const READ_ANNOTATIONS = [ANNOTATIONS.policy, ANNOTATIONS.gang, ANNOTATIONS.waitForMaster].map((name) =>
  name.slice(OWN_PREFIX.length),
);
const withPrefix = (name: string | undefined) => name && `${OWN_PREFIX}${name}`;
/** Also those that signalbox writes itself: people submit what `kubectl get -o yaml` printed. */
const KNOWN_ANNOTATIONS: ReadonlySet<string> = new Set(Object.values(ANNOTATIONS));

/** An object of the manifest, and the names that it may have. */
interface Place {
  /** Where it is in this manifest, and where in any of the kind. */
  readonly path: string;
  readonly general: string;
  readonly value: unknown;
  readonly known: readonly string[];
  /** Names that it may also have, in any case. */
  readonly roles?: readonly string[];
}

const OBJECT = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const TEMPLATE = ['metadata', 'spec'];
/** All that the API server may write into it: people submit what `kubectl get -o yaml` printed. */
const METADATA = [
  ...['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'uid'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation', 'managedFields'],
  ...['resourceVersion', 'selfLink'],
];

function placesOf(framework: Framework, manifest: unknown): Place[] {
  const { dialect, replicaSpecs, roles, options } = framework;
  const { '': ofAny = [], '*': _ofRoles, ...inner } = dialect.fields;
  const ofSpec = [...ofAny, ...Object.keys(options.shape), ...(replicaSpecs ? [replicaSpecs] : [])];
  const rolesOfSpec = replicaSpecs ? [] : roles.map(({ name }) => name);
  return [
    at('', manifest, OBJECT),
    at('metadata', manifest, METADATA),
    { ...at('spec', manifest, ofSpec), roles: rolesOfSpec },
    ...Object.entries(inner).map(([path, names]) => at(`spec.${path}`, manifest, names)),
    ...placesOfSchema('spec', options, valueAt(manifest, 'spec')).slice(1),
    ...rolesOf(framework, manifest).flatMap((role) => placesOfRole(framework, role)),
  ];
}

const at = (path: string, manifest: unknown, known: readonly string[]): Place => ({
  path,
  general: path,
  value: valueAt(manifest, path),
  known,
});

/** The objects that a schema describes; the first is the one that it is given. */
function placesOfSchema(path: string, schema: z.core.$ZodType, value: unknown): Place[] {
  if (schema instanceof z.ZodOptional) return placesOfSchema(path, schema.unwrap(), value);
  if (schema instanceof z.ZodArray) {
    const items = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => placesOfSchema(`${path}[${index}]`, schema.element, item));
  }
  if (schema instanceof z.ZodRecord) {
    return Object.entries(isFields(value) ? value : {}).flatMap(([name, item]) =>
      placesOfSchema(joined(path, name), schema.valueType, item),
    );
  }
  if (!(schema instanceof z.ZodObject)) return [];
  const inner = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
    placesOfSchema(joined(path, name), field, valueAt(value, name)),
  );
  return [{ path, general: path, value, known: Object.keys(schema.shape) }, ...inner];
}

function rolesOf({ replicaSpecs, roles }: Framework, manifest: unknown) {
  const specs = valueAt(manifest, ['spec', replicaSpecs].filter(Boolean).join('.'));
  return Object.entries(isFields(specs) ? specs : {}).flatMap(([key, value]) => {
    const role = roles.find(({ name }) => name.toLowerCase() === key.toLowerCase());
    return role ? [{ key, name: role.name, value }] : [];
  });
}

function placesOfRole(
  framework: Framework,
  { key, name, value }: { readonly key: string; readonly name: string; readonly value: unknown },
): Place[] {
  const path = rolePath(framework, key);
  const general = rolePath(framework, name);
  const template = { value: valueAt(value, 'template'), known: TEMPLATE };
  return [
    { path, general, value, known: framework.dialect.fields['*'] ?? [] },
    { ...template, path: `${path}.template`, general: `${general}.template` },
  ];
}

function unknownIn(place: Place, elsewhere: readonly Place[]): UnknownField[] {
  const { path, value, known, roles = [] } = place;
  if (!isFields(value)) return [];
  const inAnyCase = new Set(roles.map((role) => role.toLowerCase()));
  return Object.keys(value)
    .filter((name) => !known.includes(name) && !inAnyCase.has(name.toLowerCase()))
    .map((name) => ({
      path: joined(path, name),
      nearest: meantBy(name, [...known, ...roles], elsewhere),
      got: describe(value[name]),
    }));
}

/** The same name in another place is a better guess than another name in the same place. */
function meantBy(name: string, known: readonly string[], places: readonly Place[]): string | undefined {
  const otherCase = known.find((one) => one.toLowerCase() === name.toLowerCase());
  if (otherCase) return otherCase;
  const elsewhere = places.find(({ known: names }) => names.includes(name));
  return elsewhere ? joined(elsewhere.general, name) : nearest(name, known);
}

const joined = (path: string, name: string) => (path ? `${path}.${name}` : name);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);
