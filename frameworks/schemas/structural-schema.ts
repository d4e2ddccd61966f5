import { type Fields, isFields } from '../../language/fields.ts';
import type { JsonSchema } from './json-schema.ts';
import { OPEN_OBJECTS } from './pod-fields.ts';

/** Any value, kept as it is. */
export const OPAQUE: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** What both kinds of schema write alike. */
const SHARED = [
  ...['description', 'type', 'enum', 'required', 'default', 'pattern'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'minProperties'],
];

/**
 * Returns a JSON Schema as a structural schema, which a CustomResourceDefinition takes: without references, and with one type
 * for each value. What that cannot say is left to the parser.
 */
export function structuralSchemaOf(schema: JsonSchema, definitions: Fields = {}): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref === 'string') {
    const id = $ref.replace('#/$defs/', '');
    return structuralSchemaOf({ ...(definitions[id] as JsonSchema), ...own, id }, definitions);
  }
  const { description, anyOf, properties, items, additionalProperties } = own;
  const described = description === undefined ? {} : { description };
  if (Array.isArray(anyOf)) {
    const isScalar = anyOf.every((one) => isFields(one) && SCALARS.has(String(one.type)));
    return { ...described, ...(isScalar ? { 'x-kubernetes-int-or-string': true } : OPAQUE) };
  }
  if (own.type === undefined) return { ...described, ...OPAQUE };
  // Definitions are used more than once: YAML would refer from one to the other.
  const kept = structuredClone(
    Object.fromEntries(SHARED.filter((key) => key in own).map((key) => [key, own[key]])),
  );
  if (own.type === 'array') {
    return { ...kept, items: structuralSchemaOf(isFields(items) ? items : {}, definitions) };
  }
  if (own.type !== 'object') return kept;
  if (isFields(properties)) {
    const inner = Object.entries(properties).map(
      ([name, one]) => [name, structuralSchemaOf(one as JsonSchema, definitions)] as const,
    );
    return { ...kept, ...(isOpen(own) ? OPAQUE : {}), properties: Object.fromEntries(inner) };
  }
  const isMap = isFields(additionalProperties) && Object.keys(additionalProperties).length > 0;
  if (!isMap) return { ...kept, ...OPAQUE };
  return { ...kept, additionalProperties: structuralSchemaOf(additionalProperties, definitions) };
}

/** Whether a newer cluster may know further fields of such an object. */
const isOpen = ({ id }: JsonSchema): boolean => OPEN_OBJECTS.has(String(id));

const SCALARS: ReadonlySet<string> = new Set(['integer', 'number', 'string']);
