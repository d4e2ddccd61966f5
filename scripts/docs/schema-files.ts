import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { jsonSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The file with what several schemas need, e.g. the template of a pod. */
const SHARED = 'definitions.json';

/** The published JSON Schemas by path. */
export const SCHEMA_FILES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(publishedSchemas()).map(([file, schema]) => [
    `schemas/${file}`,
    () => `${JSON.stringify(schema, null, 2)}\n`,
  ]),
);

function publishedSchemas(): Schemas {
  const whole = SCHEMA_DOCUMENTS.map(
    (document) => [`${document.name}.json`, jsonSchemaOf(document)] as const,
  );
  const shared = sharedOf(whole.map(([, schema]) => definitionsOf(schema)));
  const { $schema, $id, 'x-version': version } = whole[0]![1];
  return {
    ...Object.fromEntries(whole.map(([file, schema]) => [file, withoutShared(schema, shared)])),
    [SHARED]: {
      $schema,
      $id: String($id).replace(/[^/]+$/, SHARED),
      title: 'Definitions',
      description: 'What several of the other schemas need.',
      'x-version': version,
      $defs: shared,
    },
  };
}

function definitionsOf({ $defs = {} }: JsonSchema): Schemas {
  return $defs as Schemas;
}

/** Returns the definitions that several schemas have. What these refer to is among them. */
function sharedOf(all: readonly Schemas[]): Schemas {
  const seen: Record<string, JsonSchema> = {};
  const shared: Record<string, JsonSchema> = {};
  for (const [name, definition] of all.flatMap((definitions) => Object.entries(definitions))) {
    if (!(name in seen)) seen[name] = definition;
    else if (JSON.stringify(seen[name]) === JSON.stringify(definition)) shared[name] = definition;
    else throw new Error(`Two schemas have a definition ${name}, and they differ. Rename one of them.`);
  }
  return shared;
}

function withoutShared(schema: JsonSchema, shared: Schemas): JsonSchema {
  const own = Object.entries(definitionsOf(schema)).filter(([name]) => !(name in shared));
  const { $defs, ...rest } = schema;
  return withReferences(
    { ...rest, ...(own.length > 0 ? { $defs: Object.fromEntries(own) } : {}) },
    (reference) => (reference.replace('#/$defs/', '') in shared ? `${SHARED}${reference}` : reference),
  );
}

function withReferences(schema: JsonSchema, changed: (reference: string) => string): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (keyword, value: unknown) =>
    keyword === '$ref' ? changed(String(value)) : value,
  );
}
