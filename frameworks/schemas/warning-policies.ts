import { jobResourceOf } from '../../contracts/job-resources.ts';
import { apiGroupOf } from '../../contracts/kubernetes.ts';
import { OWN_PREFIX } from '../../contracts/labels.ts';
import { fieldTypesOf, itemTypeOf, objectTypeOf } from '../fields/pod-field-types.ts';
import { formatUnknown, KNOWN_ANNOTATIONS } from '../fields/unknown-fields.ts';
import { manifestWarnings } from '../manifest/warnings.ts';
import { celInside, celList, celPlace, celRole, celSentence, celText } from '../model/cel.ts';
import { ANY_ROLE, type Framework } from '../model/framework.ts';
import { isRole, placesOfRoles, roleVariables, type Variable } from './admission-rules.ts';
import type { Definition } from './custom-resources.ts';
import {
  ANNOTATIONS_ARE_NEW,
  matchOf,
  type PolicyObject,
  SPEC_IS_NEW,
  STAYS,
  withBinding,
} from './policy-object.ts';

/** A message of more than 5 KiB, or with a line break, is replaced by this one. */
const SEE_STATUS = 'see status.warnings of the resource, in which the bridge says what it warns of';

const LABELS_ARE_NEW = 'object.metadata.?labels != oldObject.metadata.?labels';
const WRITTEN = {
  name: 'written',
  expression: [SPEC_IS_NEW, ANNOTATIONS_ARE_NEW, LABELS_ARE_NEW].join(' || '),
};

/** Warns of what can be told without the parser. What cannot be evaluated is told by the bridge alone. */
export function warningsPolicy(
  versions: readonly Framework[],
  definition: Definition,
): readonly PolicyObject[] {
  const [first, second] = versions as readonly [Framework, Framework | undefined];
  const isSecond = 'has(object.spec.mpiImplementation)';
  const sentences = [
    unknownAnnotations,
    ...ofVersion(first, second && `!${isSecond}`),
    ...(second ? ofVersion(second, isSecond) : []),
  ];
  const name = `signalbox-warnings-${jobResourceOf(first).plural}.${apiGroupOf(first.apiVersion)}`;
  return withBinding(
    'ValidatingAdmissionPolicy',
    { name, part: 'warnings', action: 'Warn' },
    {
      failurePolicy: 'Ignore',
      matchConstraints: matchOf([definition]),
      matchConditions: [STAYS, WRITTEN],
      variables: [
        ...roleVariables(first),
        ...first.roles.filter(({ name }) => name !== ANY_ROLE).flatMap(variablesOfRole),
        ...sentences.map((expression, index) => ({ name: `said${index}`, expression })),
      ],
      validations: sentences.map((_, index) => toldBy(`variables.said${index}`)),
    },
  );
}

/** Tells all sentences of a list in one warning. */
const toldBy = (sentences: string) => ({
  expression: `size(${sentences}) == 0`,
  messageExpression: `${sentences}.join("; ")`,
  message: SEE_STATUS,
});

const ofVersion = (framework: Framework, isVersion: string | undefined): readonly string[] =>
  manifestWarnings(framework)
    .flatMap(({ cel }) => (cel ? [cel()] : []))
    .map((sentences) => (isVersion ? `${isVersion} ? (${sentences}) : []` : sentences));

/** Other prefixes that resemble ours are found by the parser. */
const unknownAnnotations = `object.metadata.?annotations.orValue({}).filter(a, a.startsWith(${celText(OWN_PREFIX)}) && !(a in ${celList([...KNOWN_ANNOTATIONS])})).map(a, ${celSentence(formatUnknown({ path: `metadata.annotations[${celPlace('a')}]`, nearest: undefined, got: '' }))})`;

function variablesOfRole(role: Framework['roles'][number]): readonly Variable[] {
  const { fields, template, pod, containers } = celRole(role.name);
  const named = `variables.keys.filter(k, ${isRole(role)})`;
  return [
    [fields, `size(${named}) > 0 ? variables.roles[${named}[0]] : {}`],
    [template, celInside(fields, 'template', 'map')],
    [pod, celInside(template, 'spec', 'map')],
    [containers, celInside(pod, 'containers', 'list')],
  ].map(([variable, expression]) => ({ name: variable!.replace('variables.', ''), expression: expression! }));
}

/** Warns of fields of pod templates that Kubernetes does not know. */
export function unknownFieldsPolicy(definitions: readonly Definition[]): readonly PolicyObject[] {
  const isTemplate = 'type(r.of) == map && type(r.of.?template.orValue(dyn(null))) == map';
  const templates = `variables.roles.filter(r, ${isTemplate}).map(r, {"at": dyn(r.at + ".template"), "of": r.of.template})`;
  const name = 'signalbox-warnings-templates';
  return withBinding(
    'ValidatingAdmissionPolicy',
    { name, part: 'warnings', action: 'Warn' },
    {
      failurePolicy: 'Ignore',
      matchConstraints: matchOf(definitions),
      matchConditions: [STAYS, WRITTEN],
      variables: [
        { name: 'roles', expression: placesOfRoles('object') },
        ...placesOfTypes(templates),
        { name: 'said', expression: unknownFieldsOf(TYPES) },
      ],
      validations: [toldBy('variables.said')],
    },
  );
}

/**
 * Expressions for the fields of pod templates that Kubernetes does not know, which the definitions keep, as newer clusters may
 * know them. A variable for each type has all objects of it in a resource, as `{at: PATH, of: OBJECT}`, and is made from those
 * of the types that contain it. One nested expression for all would be shorter, but takes the API server minutes to compile.
 */
const placesOfTypes = (templates: string): readonly Variable[] =>
  TYPES.map((type) => ({
    name: type,
    expression: type === TEMPLATE ? templates : CONTAINED.get(type)!.map(objectsIn).join(' + '),
  }));

/** The list of sentences about the fields, as the parser writes them without what was meant. */
const unknownFieldsOf = (types: readonly string[]): string =>
  types.map((type) => `${unknownFields(type)}.flatten()`).join(' + ');

const TEMPLATE = 'PodTemplateSpec';

interface Contained {
  readonly by: string;
  readonly field: string;
  readonly isList: boolean;
}

/** In which fields the objects of a type are. */
const CONTAINED = new Map<string, Contained[]>();
/** Each behind the types that contain it. */
const TYPES: readonly string[] = typesBelow(TEMPLATE).reverse();

/** Returns the types that objects of a type can contain, innermost first, and itself. */
function typesBelow(type: string, seen: string[] = []): string[] {
  for (const [field, fieldType] of fieldTypesOf(type)) {
    const inner = objectTypeOf(fieldType);
    if (inner === undefined) continue;
    const isList = itemTypeOf(fieldType) !== undefined;
    CONTAINED.set(inner, [...(CONTAINED.get(inner) ?? []), { by: type, field, isList }]);
    if (!seen.includes(inner)) typesBelow(inner, seen);
  }
  seen.push(type);
  return seen;
}

function objectsIn({ by, field, isList }: Contained): string {
  const value = `p.of[?${celText(field)}].orValue(dyn(null))`;
  const found = (type: string) => `variables.${by}.filter(p, type(${value}) == ${type})`;
  const path = `p.at + ${celText(`.${field}`)}`;
  if (!isList) return `${found('map')}.map(p, {"at": dyn(${path}), "of": ${value}})`;
  const item = `{"at": dyn(${path} + "[" + string(i) + "]"), "of": x}`;
  return `${found('list')}.map(p, dyn(${value}).transformList(i, x, type(x) == map, ${item})).flatten()`;
}

function unknownFields(type: string): string {
  const field = { path: celPlace('p.at + "." + f'), nearest: undefined, got: '', of: 'pod' } as const;
  const isUnknown = `!(f in ${celList([...fieldTypesOf(type).keys()])})`;
  return `variables.${type}.map(p, p.of.filter(f, ${isUnknown}).map(f, ${celSentence(formatUnknown(field))}))`;
}
