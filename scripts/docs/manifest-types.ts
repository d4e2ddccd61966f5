import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { exactSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';
import { type Definitions, printTypes } from './print-types.ts';

const HEAD =
  '// Generated from the JSON Schemas by `npm run docs`: the client’s public types may not be those of zod.\n\n';

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
export function manifestTypes(): string {
  const written = SCHEMA_DOCUMENTS.filter(({ isClosed }) => isClosed).map(exactSchemaOf);
  const kinds = written.filter(({ properties }) => (properties as JsonSchema).apiVersion);
  const [policy] = written.filter((schema) => !kinds.includes(schema));
  return `${HEAD}${typesOfKinds(kinds)}\n${typeOfPolicy(policy!)}`;
}

/** Kinds share most of their parts, so all of them are written together. */
function typesOfKinds(kinds: readonly JsonSchema[]): string {
  const parts: Definitions = Object.assign({}, ...kinds.map(({ $defs }) => $defs));
  const any = { description: 'A manifest of any kind.', anyOf: kinds.map(({ title }) => ({ $ref: title })) };
  const byName = kinds.map((kind) => [String(kind.title), kind]);
  return printTypes({
    declared: { TrainingManifest: any, ...Object.fromEntries(byName), ...parts },
    nameOf: (id) => (TAKEN.has(id) ? `Manifest${id}` : id),
    isReadonly: false,
  });
}

/** One type with its parts inside: their names are those of the parsed policy. */
const typeOfPolicy = ({ $defs, ...policy }: JsonSchema): string =>
  printTypes({ declared: { JobPolicy: policy }, inline: $defs as Definitions, isReadonly: false });
