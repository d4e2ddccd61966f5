import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { jsonSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';

/** The published JSON Schemas by path. */
export const SCHEMA_FILES: Readonly<Record<string, () => string>> = Object.fromEntries(
  SCHEMA_DOCUMENTS.map((document) => [
    `schemas/${document.name}.json`,
    () => `${JSON.stringify(jsonSchemaOf(document), null, 2)}\n`,
  ]),
);
