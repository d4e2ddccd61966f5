import { compile, type JSONSchema, type Options } from 'json-schema-to-typescript';
import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { exactSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';

const HEAD = `// Generated from the JSON Schemas by \`npm run docs\`: the client's public types may not be those of zod.

`;

/** Names that the product uses for its own view of the same objects. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[
    'Container',
    'ContainerPort',
    'EnvVar',
    'PodMetadata',
    'PodSpec',
    'PodTemplate',
    'Quantity',
    'RunPolicy',
  ],
  ...['SchedulingPolicy', 'Volume', 'VolumeMount'],
]);

/**
 * Returns client/manifests/manifest-types.ts: the types of manifests and policies, from the same schemas as schemas/. Roles have the
 * names that their kinds give them, so that a misspelt role is an error of the compiler.
 */
export async function manifestTypes(): Promise<string> {
  const written = SCHEMA_DOCUMENTS.filter(({ isClosed }) => isClosed).map(exactSchemaOf);
  const kinds = written.filter(({ properties }) => (properties as JsonSchema).apiVersion);
  const [policy] = written.filter((schema) => !kinds.includes(schema));
  return HEAD + asPublic((await typesOfKinds(kinds)) + (await typeOfPolicy(policy!)));
}

const OPTIONS: Partial<Options> = {
  bannerComment: '',
  style: { singleQuote: true, printWidth: 110 },
};

/** Kinds share most of their parts, so one compilation writes all of them. */
function typesOfKinds(kinds: readonly JsonSchema[]): Promise<string> {
  const definitions = Object.assign({}, ...kinds.map(({ $defs }) => $defs)) as Record<string, JsonSchema>;
  for (const { $schema, $defs, ...schema } of kinds) definitions[String(schema.title)] = schema;
  const all = {
    title: 'TrainingManifest',
    description: 'A manifest of any kind.',
    anyOf: kinds.map(({ title }) => ({ $ref: `#/$defs/${String(title)}` })),
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([name, schema]) => [
        ownName(name),
        { ...schema, title: ownName(name) },
      ]),
    ),
  };
  return compile(mapSchemas(all, referenceAlone) as JSONSchema, 'TrainingManifest', OPTIONS);
}

/** One type with its parts inside: their names are those of the parsed policy. */
function typeOfPolicy({ $defs, $schema, ...policy }: JsonSchema): Promise<string> {
  const definitions = $defs as Readonly<Record<string, JsonSchema>>;
  const inline = (schema: JsonSchema): JsonSchema => {
    if (typeof schema.$ref !== 'string') return reworded(schema);
    const { title, ...part } = definitions[schema.$ref.replace('#/$defs/', '')]!;
    return mapSchemas(
      { ...part, ...(schema.description ? { description: schema.description } : {}) },
      inline,
    );
  };
  return compile(mapSchemas(policy, inline) as JSONSchema, 'JobPolicy', OPTIONS);
}

const ownName = (name: string) => (TAKEN.has(name) ? `Manifest${name}` : name);

/** A reference with a description beside it would become a type of its own. */
function referenceAlone(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return reworded(schema);
  return { $ref: `#/$defs/${ownName(schema.$ref.replace('#/$defs/', ''))}` };
}

/** Words what the library words badly: any value, a number or a text, and a list of at most 50, which is no tuple. */
function reworded({ anyOf, minItems, maxItems, ...schema }: JsonSchema): JsonSchema {
  if (Object.keys(schema).every((keyword) => keyword === 'description')) {
    return { ...schema, tsType: anyOf ? 'number | string' : 'unknown' };
  }
  const hasNumbers = Array.isArray(anyOf) && anyOf.some(({ type }: JsonSchema) => type === 'integer');
  if (hasNumbers) return { ...schema, tsType: 'number | string' };
  return anyOf ? { ...schema, anyOf } : schema;
}

/** Returns a schema with each schema inside of it, and itself, changed. */
function mapSchemas(given: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const schema = change(given);
  if (schema !== given && typeof given.$ref === 'string') return schema;
  const inner = (value: unknown) =>
    value && typeof value === 'object' ? mapSchemas(value as JsonSchema, change) : value;
  const byName = (value: unknown) =>
    Object.fromEntries(
      Object.entries((value ?? {}) as JsonSchema).map(([name, part]) => [name, inner(part)]),
    );
  return {
    ...schema,
    ...(schema.properties ? { properties: byName(schema.properties) } : {}),
    ...(schema.$defs ? { $defs: byName(schema.$defs) } : {}),
    ...(schema.items ? { items: inner(schema.items) } : {}),
    ...(schema.additionalProperties ? { additionalProperties: inner(schema.additionalProperties) } : {}),
    ...(Array.isArray(schema.anyOf) ? { anyOf: schema.anyOf.map(inner) } : {}),
  };
}

/** Marks every type as public. */
const asPublic = (types: string): string =>
  types.replaceAll(/^(\/\*\*\n(?: \*[^/].*\n)*?) \*\/\nexport /gm, '$1 *\n * @public\n */\nexport ');
