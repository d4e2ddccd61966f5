import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { OPEN_OBJECTS } from './pod-fields.ts';
import { withRolesInAnyCase } from './roles-in-any-case.ts';
import type { SchemaDocument } from './schema-documents.ts';

/** Increases when a schema refuses what it accepted before. It is part of each `$id`. */
const SCHEMA_VERSION = 1;

/** Returns the published JSON Schema (2020-12) of a document. */
export function jsonSchemaOf(document: SchemaDocument): JsonSchema {
  const { $schema, $defs = {}, ...generated } = exactSchemaOf(document);
  const definitions = Object.entries($defs as Readonly<Record<string, JsonSchema>>).map(
    ([id, schema]) => [id, withRolesInAnyCase(schema)] as const,
  );
  return {
    $schema,
    $id: `https://signalbox.dev/schemas/v${SCHEMA_VERSION}/${document.name}.json`,
    title: document.title,
    description: document.description,
    'x-version': SCHEMA_VERSION,
    ...generated,
    ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  };
}

/** Returns the schema of a document in which roles have exactly the names that the kind gives them. */
export function exactSchemaOf({ title, description, isClosed, schema }: SchemaDocument): JsonSchema {
  const generated = z.toJSONSchema(schema(), {
    target: 'draft-2020-12',
    // What a user writes. The schema of parsed values would forbid every unknown field.
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema);
      const { id } = (z.globalRegistry.get(zodSchema) ?? {}) as { readonly id?: string };
      if (id) jsonSchema.title = id;
      if (jsonSchema.properties && isClosed) jsonSchema.additionalProperties ??= OPEN_OBJECTS.has(id ?? '');
    },
  });
  return { ...(generated as JsonSchema), title, description };
}

/** Removes what only repeats that numbers of JSON are safe integers and keys of JSON are text. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The alternatives have types of their own.
  if (schema.anyOf) delete schema.type;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties;
}
