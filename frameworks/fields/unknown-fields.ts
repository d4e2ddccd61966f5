import { z } from 'zod';
import type { Fault } from '../../contracts/faults.ts';
import { ANNOTATIONS, OWN_PREFIX } from '../../contracts/labels.ts';
import { findRole, roleKey } from '../../contracts/roles.ts';
import { isFields, valueAt } from '../../language/fields.ts';
import { type Framework, rolePath } from '../model/framework.ts';
import { didYouMean, nearest, resembles } from './did-you-mean.ts';
import { describeValue } from './faults.ts';

/** A field of the job that signalbox does not read. */
interface UnknownField {
  readonly path: string;
  /** What was probably meant: a name in the same place, or the path of a field with the same name elsewhere. */
  readonly nearest: string | undefined;
  /** The value, as faults show it. */
  readonly got: string;
}

export const formatUnknown = (field: UnknownField) =>
  `${field.path}: unknown field, ignored${field.nearest ? `; ${didYouMean(field.nearest)}` : ''}`;

export const faultOfUnknown = ({ path, nearest: meant, got }: UnknownField): Fault => ({
  path,
  expected: `a known field${meant ? ` (${didYouMean(meant)})` : ''}`,
  got,
});

/** Finds unknown fields in a value that one schema describes completely; `root` is the value's path. */
export function unknownFieldsOfSchema(schema: z.ZodObject, value: unknown, root: string): UnknownField[] {
  const places = placesOfSchema('', schema, value);
  return places
    .flatMap((place) => unknownIn(place, places))
    .map((field) => ({ ...field, path: `${root}.${field.path}` }));
}

/** Finds unknown fields in a whole manifest, valid or not. Leaves the content of pod templates to the API server. */
export function unknownFields(framework: Framework, manifest: unknown): UnknownField[] {
  const places = placesOf(framework, manifest);
  const ofJob = places.filter(({ path }) => path.startsWith('spec'));
  return [...places.flatMap((place) => unknownIn(place, ofJob)), ...unknownAnnotations(manifest)];
}

/** Checks only annotations with signalbox's prefix, or a misspelt one; others belong to other programs. */
function unknownAnnotations(manifest: unknown): UnknownField[] {
  const annotations = valueAt(manifest, 'metadata.annotations');
  return Object.entries(isFields(annotations) ? annotations : {})
    .filter(([name]) => resembles(prefixOf(name), OWN_PREFIX) && !KNOWN_ANNOTATIONS.has(name))
    .map(([name, value]) => ({
      path: `metadata.annotations[${name}]`,
      nearest: withPrefix(nearest(name.slice(prefixOf(name).length), READ_ANNOTATIONS)),
      got: describeValue(value),
    }));
}

const prefixOf = (name: string) => name.slice(0, name.indexOf('/') + 1);
/** Annotations that a user may set, without the prefix. */
const READ_ANNOTATIONS = [
  ANNOTATIONS.policy,
  ANNOTATIONS.gang,
  ANNOTATIONS.requestedBy,
  ANNOTATIONS.waitForMaster,
  ANNOTATIONS.inputs,
  ANNOTATIONS.outputs,
].map((name) => name.slice(OWN_PREFIX.length));
const withPrefix = (name: string | undefined) => name && `${OWN_PREFIX}${name}`;
/** Includes the annotations that signalbox writes: users submit the output of `kubectl get -o yaml`. */
const KNOWN_ANNOTATIONS: ReadonlySet<string> = new Set(Object.values(ANNOTATIONS));

/** An object of the manifest, and the field names that it may have. */
interface Place {
  /** The path in this manifest; `general` has the role as the kind spells it. */
  readonly path: string;
  readonly general: string;
  readonly value: unknown;
  readonly known: readonly string[];
  /** Further names, which match in any case. */
  readonly roles?: readonly string[];
}

const OBJECT = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const TEMPLATE = ['metadata', 'spec'];
/** All fields that the API server may write: users submit the output of `kubectl get -o yaml`. */
export const API_SERVER_METADATA = [
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
    at('metadata', manifest, API_SERVER_METADATA),
    { ...at('spec', manifest, ofSpec), roles: rolesOfSpec },
    ...Object.entries(inner).map(([path, names]) => at(`spec.${path}`, manifest, names)),
    ...placesOfSchema('spec', options, valueAt(manifest, 'spec')).slice(1),
    ...rolesOfManifest(framework, manifest).flatMap((role) => placesOfRole(framework, role)),
  ];
}

const at = (path: string, manifest: unknown, known: readonly string[]): Place => ({
  path,
  general: path,
  value: valueAt(manifest, path),
  known,
});

/** Returns the objects that a schema describes, the given one first. */
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

function rolesOfManifest({ replicaSpecs, roles }: Framework, manifest: unknown) {
  const specs = valueAt(manifest, ['spec', replicaSpecs].filter(Boolean).join('.'));
  return Object.entries(isFields(specs) ? specs : {}).flatMap(([key, value]) => {
    const role = findRole(roles, key);
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
  const inAnyCase = new Set(roles.map(roleKey));
  return Object.keys(value)
    .filter((name) => !known.includes(name) && !inAnyCase.has(roleKey(name)))
    .map((name) => ({
      path: joined(path, name),
      nearest: meantBy(name, [...known, ...roles], elsewhere),
      got: describeValue(value[name]),
    }));
}

/** Prefers the same name in another place to a similar name in the same place. */
function meantBy(name: string, known: readonly string[], places: readonly Place[]): string | undefined {
  const otherCase = known.find((one) => one.toLowerCase() === name.toLowerCase());
  if (otherCase) return otherCase;
  const elsewhere = places.find(({ known: names }) => names.includes(name));
  return elsewhere ? joined(elsewhere.general, name) : nearest(name, known);
}

const joined = (path: string, name: string) => (path ? `${path}.${name}` : name);
