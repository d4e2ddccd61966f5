import { POD_TYPES } from './pod-types.ts';

/** Types of fields by their names: `string`, `Container`, `[Container]`, `{string}`, `any`. */
type FieldTypes = ReadonlyMap<string, string>;

const known = new Map<string, FieldTypes>();

/** Returns the fields of a type of objects; of any other type none. */
export function fieldTypesOf(type: string): FieldTypes {
  const before = known.get(type);
  if (before) return before;
  const fields = new Map(POD_TYPES[type]?.split(' ').map(typedField));
  known.set(type, fields);
  return fields;
}

function typedField(text: string): readonly [name: string, type: string] {
  const [name, type = 'string'] = text.split(':');
  return [name!, type];
}

/** Returns the type of the items of a list. */
export const itemTypeOf = (type: string) => /^\[(.+)\]$/.exec(type)?.[1];

/** Returns the type of the values of a map. */
export const valueTypeOf = (type: string) => /^\{(.+)\}$/.exec(type)?.[1];

export const isObjectType = (type: string) => type in POD_TYPES;

/** Returns the type of an object, or of a list's objects. */
export function objectTypeOf(type = ''): string | undefined {
  const item = itemTypeOf(type) ?? type;
  return isObjectType(item) ? item : undefined;
}
