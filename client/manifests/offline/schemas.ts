import type { JsonSchema } from '../../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../../frameworks/schemas/schema-documents.ts';
import { jsonSchemaOf } from '../../../frameworks/schemas/to-json-schema.ts';
import { nearest } from '../../../language/did-you-mean.ts';

/** A schema that is published as `schemas/<name>.json`. */
interface SchemaListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Returns every published schema, manifests first. */
export const listSchemas = (): SchemaListing[] =>
  SCHEMA_DOCUMENTS.map(({ name, title, description }) => ({ name, title, description }));

/** Returns a published JSON Schema by its name or title, in any case; undefined if there is none. */
export function findSchema(given: string): JsonSchema | undefined {
  const wanted = plain(given);
  const document = SCHEMA_DOCUMENTS.find(({ name, title }) => [name, title].map(plain).includes(wanted));
  return document && jsonSchemaOf(document);
}

/** Returns the name of the schema that was probably meant. */
export const nearestSchema = (given: string): string | undefined =>
  nearest(
    given,
    SCHEMA_DOCUMENTS.map(({ name }) => name),
  );

/** `stop-request`, `StopRequest` and `stop request` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
