import { z } from 'zod';
import { ANNOTATIONS, OWN_PREFIX } from '../../contracts/labels.ts';
import { REFERENCES } from '../../contracts/references.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { Fault } from '../../contracts/types.ts';
import { READ_ANNOTATIONS } from '../../contracts/written-manifest.ts';
import { nearest, resembles } from '../../language/did-you-mean.ts';
import { isFields, valueAt } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { type Framework, listOfRoles, rolePath } from '../model/framework.ts';
import { type WrittenRole, writtenRoles } from '../model/written-roles.ts';
import { describeValue } from './faults.ts';
import { type FieldPlace, joined, type UnknownName, unknownIn } from './place.ts';
import { isOuter, placesOfTemplate } from './pod-template-places.ts';
import { PODS_OF_KUBERNETES } from './pod-types.ts';

/** A field that nothing reads. */
export interface UnknownField extends UnknownName {
  /**
   * What has no such field: signalbox's definition of the job, the definition of a pod that it was built with, or that
   * of a cluster. Absent for annotations.
   */
  readonly of?: 'job' | 'pod' | 'pod-of-cluster';
}

export function formatUnknown({ path, nearest: meant, of }: UnknownField): string {
  const by = of ? IGNORED_BY[of] : '';
  const told = [`${path}: unknown field, ignored${by}`, didYouMean(meant)].filter(Boolean).join('; ');
  return of === 'job' ? `${told}${meant ? '' : ';'} kubectl apply refuses it` : told;
}

const IGNORED_BY = {
  job: '',
  pod: ` by Kubernetes ${PODS_OF_KUBERNETES}`,
  'pod-of-cluster': ' by the cluster',
} as const;

export const faultOfUnknown = ({ path, nearest: meant, got, of }: UnknownField): Fault => ({
  path,
  expected: `a ${of ? KNOWN_TO[of] : 'known field'}${meant ? ` (${didYouMean(meant)})` : ''}`,
  got,
  isUnknown: true,
});

const KNOWN_TO = {
  job: 'known field',
  pod: `field of pods that Kubernetes ${PODS_OF_KUBERNETES} knows`,
  'pod-of-cluster': 'field of pods that the cluster knows',
} as const;

/** Finds unknown fields in a value that one schema describes completely; `root` is the value's path. */
export function unknownFieldsOfSchema(schema: z.ZodObject, value: unknown, root: string): UnknownField[] {
  const places = placesOfSchema('', schema, value);
  return places
    .flatMap((place) => unknownIn(place, places))
    .map((field) => ({ ...field, path: `${root}.${field.path}` }));
}

/** Finds unknown fields in a whole manifest, valid or not. */
export const unknownFields = (framework: Framework, manifest: unknown): UnknownField[] => [
  ...unknownOfJob(framework, manifest),
  ...unknownOfPods(framework, manifest),
];

/** Finds unknown fields outside of pod templates. */
function unknownOfJob(framework: Framework, manifest: unknown): UnknownField[] {
  const places = placesOf(framework, manifest);
  const elsewhere = places.filter(({ path }) => path.startsWith('spec'));
  const unknown = places.flatMap((place) => unknownIn(place, elsewhere));
  return [...unknown.map((field) => ({ ...field, of: 'job' as const })), ...unknownAnnotations(manifest)];
}

/** Finds fields of pod templates that the version of Kubernetes does not know which signalbox was built with. */
export function unknownOfPods(framework: Framework, manifest: unknown): UnknownField[] {
  const ofJob = placesOf(framework, manifest).filter(({ path }) => path.startsWith('spec'));
  return templatesOf(framework, manifest).flatMap(({ path, template }) => {
    const places = placesOfTemplate(path, template);
    const elsewhere = [...ofJob, ...places.filter(isOuter)];
    return places
      .flatMap((place) => unknownIn(place, elsewhere))
      .map((field) => ({ ...field, of: 'pod' as const }));
  });
}

/** Returns the pod templates of a manifest with their paths, and their roles as labels have them. */
export const templatesOf = (framework: Framework, manifest: unknown) =>
  rolesOfManifest(framework, manifest).map(({ name, value, path }) => ({
    role: roleKey(name),
    path: `${path}.template`,
    template: valueAt(value, 'template'),
  }));

/** Checks only annotations with signalbox's prefix, or a misspelt one; others belong to other programs. */
function unknownAnnotations(manifest: unknown): UnknownField[] {
  const annotations = valueAt(manifest, 'metadata.annotations');
  return Object.entries(isFields(annotations) ? annotations : {})
    .filter(([name]) => resembles(prefixOf(name), OWN_PREFIX) && !KNOWN_ANNOTATIONS.has(name))
    .map(([name, value]) => ({
      path: `metadata.annotations[${name}]`,
      nearest: withPrefix(nearest(name.slice(prefixOf(name).length), USER_ANNOTATIONS)),
      got: describeValue(value),
    }));
}

const prefixOf = (name: string) => name.slice(0, name.indexOf('/') + 1);
/** Annotations that a user may set, without the prefix. */
export const USER_ANNOTATIONS = [...READ_ANNOTATIONS, ANNOTATIONS.requestedBy].map((name) =>
  name.slice(OWN_PREFIX.length),
);
const withPrefix = (name: string | undefined) => name && `${OWN_PREFIX}${name}`;
/** Includes the annotations that signalbox writes: users submit the output of `kubectl get -o yaml`. */
export const KNOWN_ANNOTATIONS: ReadonlySet<string> = new Set(Object.values(ANNOTATIONS));

const OBJECT = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
/** All fields that the API server may write: users submit the output of `kubectl get -o yaml`. */
export const API_SERVER_METADATA = [
  ...['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'uid'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation', 'managedFields'],
  ...['resourceVersion', 'selfLink'],
];

function placesOf(framework: Framework, manifest: unknown): FieldPlace[] {
  const { dialect, replicaSpecs, roles, options } = framework;
  const { '': ofAny = [], '*': _ofRoles, ...inner } = dialect.fields;
  const field = listOfRoles(framework) ?? replicaSpecs;
  const ofSpec = [...ofAny, ...Object.keys(options.shape), ...(field ? [field] : [])];
  const written = rolesOfManifest(framework, manifest);
  const rolesOfSpec = replicaSpecs ? [] : [...roles.map(({ name }) => name), ...namesOf(written)];
  return [
    at('', manifest, framework.references ? [...OBJECT, REFERENCES] : OBJECT),
    at('metadata', manifest, API_SERVER_METADATA),
    { ...at('spec', manifest, ofSpec), roles: rolesOfSpec },
    ...Object.entries(inner).map(([path, names]) => at(`spec.${path}`, manifest, names)),
    ...placesOfSchema('spec', options, valueAt(manifest, 'spec')).slice(1),
    ...written.flatMap((role) => placesOfRole(framework, role)),
  ];
}

/** Also misspelt ones, which are reported elsewhere. */
const namesOf = (roles: readonly WrittenRole[]): readonly string[] => roles.map(({ key }) => String(key));

const at = (path: string, manifest: unknown, known: readonly string[]): FieldPlace => ({
  path,
  general: path,
  value: valueAt(manifest, path),
  known,
});

/** Returns the objects that a schema describes, the given one first. */
function placesOfSchema(path: string, schema: z.core.$ZodType, value: unknown): FieldPlace[] {
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

/** A misspelt one is read as if it were a role of the kind. */
const rolesOfManifest = (framework: Framework, manifest: unknown): readonly WrittenRole[] =>
  writtenRoles(framework, manifest) ?? [];

/** The role, and what is in its own fields. */
function placesOfRole(framework: Framework, { name, key, value, path }: WrittenRole): FieldPlace[] {
  const { dialect, roleOptions } = framework;
  const known = [...(dialect.fields['*'] ?? []), ...Object.keys(roleOptions?.shape ?? {})];
  const general = typeof key === 'number' ? path : rolePath(framework, name);
  const inner = roleOptions ? placesOfSchema(path, roleOptions, value).slice(1) : [];
  return [{ path, general, value, known }, ...inner];
}
