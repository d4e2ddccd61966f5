import { fieldTypesOf, itemTypeOf, objectTypeOf } from '../fields/pod-field-types.ts';
import { formatUnknown } from '../fields/unknown-fields.ts';
import { celList, celPlace, celSentence, celText } from '../model/cel.ts';
import type { Variable } from './admission-rules.ts';

/**
 * Expressions for the fields of pod templates that Kubernetes does not know, which the definitions keep, as newer clusters may
 * know them. A variable for each type has all objects of it in a resource, as `{at: PATH, of: OBJECT}`, and is made from those
 * of the types that contain it. One nested expression for all would be shorter, but takes the API server minutes to compile.
 */
export const placesOfTypes = (templates: string): readonly Variable[] =>
  TYPES.map((type) => ({
    name: type,
    expression: type === TEMPLATE ? templates : CONTAINED.get(type)!.map(objectsIn).join(' + '),
  }));

/** The list of sentences about the fields, as the parser writes them without what was meant. */
export const unknownFieldsOf = (types: readonly string[]): string =>
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
export const TYPES: readonly string[] = typesBelow(TEMPLATE).reverse();

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
